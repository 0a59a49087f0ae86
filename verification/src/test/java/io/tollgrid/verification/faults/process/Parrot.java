package io.tollgrid.verification.faults.process;

import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A child that repeats what it hears. */
final class Parrot {
  private Parrot() {}

  public static void main(String[] arguments) throws InterruptedException {
    final ParentLine line = ParentLine.open();
    System.out.println("chatter of a library");
    final CountDownLatch leave = new CountDownLatch(1);
    line.listen(
        message -> {
          if (message.kind().equals("leave")) {
            leave.countDown();
          } else {
            line.say(message);
          }
        });
    line.say(
        new Message(
            "hello",
            Map.of(
                "argument",
                arguments[0],
                "parallelism",
                System.getProperty("java.util.concurrent.ForkJoinPool.common.parallelism"))));
    leave.await();
  }
}

package io.tollgrid.node.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerPort;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tollgrid.client.config.ConfigException;
import io.tollgrid.node.config.NodeConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * {@code GET /livez}, {@code /readyz} and {@code /metrics}.
 *
 * <p>Runs from before the member joins until after it left, so that a node that waits for its
 * cluster can be told from one that died. Thread-safe.
 */
public final class ProbeServer implements AutoCloseable {
  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  /** Never reached while {@link ProbeConnections} makes room in time. */
  private static final int MAX_CONNECTIONS = 2 * ProbeConnections.MAX;

  private static final int MAX_REQUEST_BYTES = 1_024;
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final Duration IDLE = Duration.ofSeconds(30);

  private final Server server;
  private final ObjectMapper json = new ObjectMapper();
  private final BooleanSupplier alive;
  private final Supplier<ReadinessReport> readiness;
  private final PrometheusMeterRegistry registry;

  private ProbeServer(
      NodeConfig.Http config,
      BooleanSupplier alive,
      Supplier<ReadinessReport> readiness,
      PrometheusMeterRegistry registry) {
    this.alive = alive;
    this.readiness = readiness;
    this.registry = registry;
    this.server = build(config);
  }

  /**
   * Starts to answer.
   *
   * @param alive false once only a new process can help
   * @throws ConfigException if the address or the certificate cannot be used
   */
  public static ProbeServer start(
      NodeConfig.Http config,
      BooleanSupplier alive,
      Supplier<ReadinessReport> readiness,
      PrometheusMeterRegistry registry) {
    final ProbeServer probes = new ProbeServer(config, alive, readiness, registry);
    try {
      probes.server.start().join();
    } catch (CompletionException e) {
      throw new ConfigException(
          "http.port: cannot listen on "
              + config.address()
              + ":"
              + config.port()
              + ": "
              + e.getCause(),
          e);
    }
    return probes;
  }

  private Server build(NodeConfig.Http config) {
    final ServerBuilder builder =
        Server.builder()
            .disableServerHeader()
            .disableDateHeader()
            .meterRegistry(registry)
            .maxNumConnections(MAX_CONNECTIONS)
            .childChannelPipelineCustomizer(new ProbeConnections()::enter)
            .maxRequestLength(MAX_REQUEST_BYTES)
            .requestTimeout(ANSWER)
            .idleTimeout(IDLE)
            .gracefulShutdownTimeout(Duration.ZERO, Duration.ofSeconds(1))
            .service("/livez", get((ctx, request) -> live()))
            .service("/readyz", get((ctx, request) -> ready()))
            .service(
                "/metrics",
                get((ctx, request) -> HttpResponse.of(this::metrics, ctx.blockingTaskExecutor())));
    final InetSocketAddress address = new InetSocketAddress(config.address(), config.port());
    if (config.tls().isPresent()) {
      final NodeConfig.Tls tls = config.tls().get();
      try {
        builder
            .https(address)
            .tls(TlsKeyPair.of(tls.privateKeyFile().toFile(), tls.certificateFile().toFile()));
      } catch (RuntimeException e) {
        throw new ConfigException(
            "http.certificateFile: " + tls.certificateFile() + " cannot be used with its key", e);
      }
    } else {
      builder.http(address);
    }
    return builder.build();
  }

  private static HttpService get(HttpService service) {
    return (ctx, request) ->
        switch (request.method()) {
          case GET, HEAD -> service.serve(ctx, request);
          default -> HttpResponse.of(HttpStatus.METHOD_NOT_ALLOWED);
        };
  }

  private HttpResponse live() throws JsonProcessingException {
    final boolean lives = alive.getAsBoolean();
    return answer(lives, Map.of("alive", lives));
  }

  private HttpResponse ready() throws JsonProcessingException {
    final ReadinessReport report = readiness.get();
    final Map<String, Object> body = new LinkedHashMap<>();
    body.put("ready", report.ready());
    body.put("reasons", report.reasons());
    body.putAll(report.counts());
    return answer(report.ready(), body);
  }

  private HttpResponse answer(boolean good, Object body) throws JsonProcessingException {
    return HttpResponse.of(
        good ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE,
        MediaType.JSON_UTF_8,
        HttpData.wrap(json.writeValueAsBytes(body)));
  }

  private HttpResponse metrics() {
    return HttpResponse.of(HttpStatus.OK, PROMETHEUS, registry.scrape());
  }

  /** The port it listens on. */
  public int port() {
    final ServerPort port = server.activePort();
    if (port == null) {
      throw new IllegalStateException("the probes do not listen");
    }
    return port.localAddress().getPort();
  }

  /** Stops to answer. Idempotent. */
  @Override
  public void close() {
    server.stop().join();
  }
}

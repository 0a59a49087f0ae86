package io.tollgrid.verification.simulation;

/**
 * An answer on its way back.
 *
 * @param call the command
 * @param attempt the attempt it answers
 * @param answer the answer
 */
record Reply(LedgerCall call, int attempt, Answer answer) {}

package io.tollgrid.verification.bench.admission;

/**
 * What one fork measured.
 *
 * @param score nanoseconds per operation, or operations per microsecond of all threads together
 * @param bytesPerOperation bytes allocated by all threads of the process, per operation
 */
record Sample(double score, double bytesPerOperation) {}

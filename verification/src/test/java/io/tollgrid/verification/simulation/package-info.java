/** Tests of the simulation: what it finds, that it repeats itself, and what it found. */
package io.tollgrid.verification.simulation;

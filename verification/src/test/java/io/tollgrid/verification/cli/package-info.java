/** Tests of the commands of the checkout. */
package io.tollgrid.verification.cli;

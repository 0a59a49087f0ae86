package io.tollgrid.admission.request;

/**
 * The first half of a {@link PaddedLong}: what keeps its neighbours away in front, and the word.
 */
@SuppressWarnings("unused")
abstract class PaddedWord {
  // A superclass's fields come before its subclass's, and equals among them as they are declared.
  long before00;
  long before01;
  long before02;
  long before03;
  long before04;
  long before05;
  long before06;
  long before07;
  long before08;
  long before09;
  long before10;
  long before11;
  long before12;
  long before13;
  long before14;
  volatile long word;
}

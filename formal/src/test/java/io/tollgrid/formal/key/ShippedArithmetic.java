package io.tollgrid.formal.key;

import java.util.List;

/**
 * Which shipped sources are proved, and what is taken out of each method to see its proof fail.
 *
 * <p>A mutant either plants an overflow or leaves out what the rule of the method asks for.
 */
final class ShippedArithmetic {
  private static final String LEDGER = "ledger/src/main/java/io/tollgrid/ledger/";
  private static final String ADMISSION = "admission/src/main/java/io/tollgrid/admission/";

  /** The classes whose every method is proved, but for plain accessors; files in a checkout. */
  static final List<String> PROVED =
      List.of(
          LEDGER + "Conservation.java",
          LEDGER + "GrantFormulas.java",
          LEDGER + "LeaseArithmetic.java",
          LEDGER + "UnitPool.java",
          ADMISSION + "lease/ShardArithmetic.java",
          ADMISSION + "plan/PriceArithmetic.java",
          ADMISSION + "rate/GcraArithmetic.java");

  /**
   * What their sources name besides; it holds no arithmetic, and its contract is taken as it is.
   */
  static final List<String> NAMED = List.of(LEDGER + "CorruptLedgerException.java");

  static final List<Mutation> MUTATIONS =
      List.of(
          new Mutation(
              "Conservation#holds",
              "LossForgotten",
              "rest(left, billed, loss, expired)",
              "rest(left, billed, 0, expired)"),
          new Mutation(
              "Conservation#fits",
              "Overflow",
              "return units <= Long.MAX_VALUE - deposited - overage",
              "return deposited + overage + units <= Long.MAX_VALUE"),
          new Mutation(
              "Conservation#sum",
              "Overflow",
              "a < 0 || b < 0 || a > Long.MAX_VALUE - b ? IMBALANCE",
              "a < 0 || b < 0 ? IMBALANCE"),
          new Mutation(
              "Conservation#rest",
              "Overflow",
              "less(less(less(whole, a), b), c)",
              "less(whole, a + b + c)"),
          new Mutation(
              "Conservation#less",
              "NegativeAllowed",
              "part < 0 || part > whole ? IMBALANCE",
              "part > whole ? IMBALANCE"),
          new Mutation(
              "GrantFormulas#cap",
              "RoundsUp",
              "balance / shrink, minimum)",
              "(balance + shrink - 1) / shrink, minimum)"),
          new Mutation(
              "GrantFormulas#acquire",
              "MoreThanTheBalance",
              "min(min(want, cap), min(balance, maxGrant))",
              "min(min(want, cap), maxGrant)"),
          new Mutation(
              "GrantFormulas#consolidate",
              "NoFloor",
              "max(restored, min(min(want, cap), balance))",
              "min(min(want, cap), balance)"),
          new Mutation(
              "GrantFormulas#consolidate",
              "DemandUnchecked",
              "demand <= balance ? max(granted, demand) : granted",
              "max(granted, demand)"),
          new Mutation(
              "GrantFormulas#unmet",
              "GrantIgnored",
              "demand > balance + granted",
              "demand > balance"),
          new Mutation(
              "GrantFormulas#min", "Larger", "return a < b ? a : b", "return a < b ? b : b"),
          new Mutation(
              "GrantFormulas#max", "Smaller", "return a < b ? b : a", "return a < b ? a : a"),
          new Mutation(
              "LeaseArithmetic#remaining",
              "Overflow",
              "return granted - returned - billed",
              "return granted + returned - billed"),
          new Mutation(
              "LeaseArithmetic#topUpOfReturn",
              "ReturnedAgain",
              "grantedTopUp - returnedTopUp;\n    if",
              "grantedTopUp;\n    if"),
          new Mutation(
              "LeaseArithmetic#restoredOfReturn",
              "OldAllowanceRevived",
              "return current ? units : topUpUnits",
              "return units"),
          new Mutation(
              "LeaseArithmetic#allowanceOfGrant",
              "MoreThanThereIs",
              "units < allowance ? units : allowance",
              "units"),
          new Mutation(
              "LeaseArithmetic#lossAtEnd",
              "Overflow",
              "return remaining - unspent",
              "return remaining + unspent"),
          new Mutation(
              "UnitPool#UnitPool", "UnitsForgotten", "this.units = units;", "this.units = 0;"),
          new Mutation(
              "UnitPool#moveTo",
              "OneTermOnly",
              "units = less(units, moved);\n    to.units = more(to.units, moved);",
              "to.units = more(to.units, moved);"),
          new Mutation(
              "UnitPool#growWith",
              "OneSideOnly",
              "units = more(units, added);\n    to.units = more(to.units, added);",
              "units = more(units, added);"),
          new Mutation(
              "UnitPool#less", "MoreThanThereIs", "if (part < 0 || part > whole)", "if (part < 0)"),
          new Mutation(
              "UnitPool#more",
              "Overflow",
              "if (part < 0 || part > Long.MAX_VALUE - whole)",
              "if (part < 0)"),
          new Mutation(
              "ShardArithmetic#share",
              "RemainderTwice",
              "whole / shards + (shard < whole % shards ? 1 : 0)",
              "whole / shards + (shard <= whole % shards ? 1 : 0)"),
          new Mutation(
              "PriceArithmetic#quote",
              "Overflow",
              "unitsPerItem > 0 && items > (Long.MAX_VALUE - fixedUnits) / unitsPerItem",
              "unitsPerItem > 0 && items > Long.MAX_VALUE / unitsPerItem"),
          new Mutation(
              "PriceArithmetic#sum",
              "Overflow",
              "one < 0 || other < 0 || one > Long.MAX_VALUE - other",
              "one < 0 || other < 0"),
          new Mutation(
              "GcraArithmetic#costNanos",
              "RoundsDown",
              "scaled == whole << shift ? whole : whole + 1",
              "whole"),
          new Mutation(
              "GcraArithmetic#take",
              "Overflow",
              "from - nowNanos > burstNanos - costNanos || from > Long.MAX_VALUE - costNanos",
              "from - nowNanos > burstNanos - costNanos"),
          new Mutation(
              "GcraArithmetic#take",
              "DebtIgnored",
              "from - nowNanos > burstNanos - costNanos ||",
              "from - nowNanos > burstNanos ||"),
          new Mutation(
              "GcraArithmetic#earliest",
              "CostForgotten",
              "return fullAt - (burstNanos - costNanos)",
              "return fullAt - burstNanos"),
          new Mutation(
              "GcraArithmetic#charge",
              "Overflow",
              "charged <= 0 || from > Long.MAX_VALUE - charged",
              "charged <= 0"),
          new Mutation(
              "GcraArithmetic#charge",
              "DebtUnbounded",
              "costNanos < mayOwe ? costNanos : mayOwe",
              "costNanos"),
          new Mutation(
              "GcraArithmetic#giveBack",
              "BeforeTheEpoch",
              "costNanos < fullAt ? fullAt - costNanos : 0",
              "fullAt - costNanos"));

  /** The name of a class by its source file. */
  static String type(String file) {
    return file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length());
  }

  private ShippedArithmetic() {}
}

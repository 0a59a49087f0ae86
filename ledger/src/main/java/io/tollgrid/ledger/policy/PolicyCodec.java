package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.CanonicalReader;
import io.tollgrid.ledger.CanonicalWriter;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.MalformedBytesException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The canonical form of questions about policies and their answers, as the grid ships them; see
 * {@link LedgerCodec} for what canonical means. Stateless and safe to share.
 */
public final class PolicyCodec {
  /** The version this code writes. */
  public static final int VERSION = 1;

  private static final int BY_PRINCIPAL = 0;
  private static final int PAGE = 1;
  private static final int BY_ACCOUNT = 2;
  private static final int BY_PLAN = 3;

  private PolicyCodec() {}

  /** A question. */
  public static byte[] encodeQuery(final PolicyQuery query) {
    final CanonicalWriter out = new CanonicalWriter().u8(VERSION);
    if (query instanceof PolicyQuery.ByPrincipal by) {
      out.u8(BY_PRINCIPAL).list(by.principals(), CanonicalWriter::id);
    } else if (query instanceof PolicyQuery.Page page) {
      out.u8(PAGE).id(page.after()).i32(page.limit());
    } else if (query instanceof PolicyQuery.ByAccount by) {
      out.u8(BY_ACCOUNT).list(by.accounts(), CanonicalWriter::id);
    } else if (query instanceof PolicyQuery.ByPlan by) {
      out.u8(BY_PLAN).text(by.name());
    }
    return out.toBytes();
  }

  /** Reads {@link #encodeQuery}. */
  public static PolicyQuery decodeQuery(final byte[] bytes) {
    return decode(
        bytes,
        in -> {
          final int kind = in.u8();
          return switch (kind) {
            case BY_PRINCIPAL -> new PolicyQuery.ByPrincipal(in.list(CanonicalReader::id));
            case PAGE -> new PolicyQuery.Page(in.id(), in.i32());
            case BY_ACCOUNT -> new PolicyQuery.ByAccount(in.list(CanonicalReader::id));
            case BY_PLAN -> new PolicyQuery.ByPlan(in.text());
            default -> throw new MalformedBytesException("no question has number " + kind);
          };
        });
  }

  /** An answer. */
  public static byte[] encodeSet(final PolicySet set) {
    final CanonicalWriter out = new CanonicalWriter().u8(VERSION);
    final Map<Id128, AccountPolicy> inOrder = new TreeMap<>(set.accounts());
    out.list(inOrder.keySet(), CanonicalWriter::id);
    inOrder.values().forEach(policy -> AccountPolicy.write(out, policy));
    return out.list(set.plans(), PolicyCodec::plan)
        .list(set.principals(), PolicyCodec::principal)
        .toBytes();
  }

  /** Reads {@link #encodeSet}. */
  public static PolicySet decodeSet(final byte[] bytes) {
    return decode(
        bytes,
        in -> {
          final Map<Id128, AccountPolicy> accounts = new LinkedHashMap<>();
          for (final Id128 account : in.list(CanonicalReader::id)) {
            accounts.put(account, AccountPolicy.read(in));
          }
          return new PolicySet(
              accounts, in.list(PolicyCodec::plan), in.list(PolicyCodec::principal));
        });
  }

  /** A page of credentials. */
  public static byte[] encodeCredentials(final CredentialPage page) {
    return new CanonicalWriter()
        .u8(VERSION)
        .i64(page.revision())
        .list(page.credentials(), PolicyCodec::credential)
        .toBytes();
  }

  /** Reads {@link #encodeCredentials}. */
  public static CredentialPage decodeCredentials(final byte[] bytes) {
    return decode(bytes, in -> new CredentialPage(in.i64(), in.list(PolicyCodec::credential)));
  }

  /** What came of an introduction. */
  public static byte[] encodeIntroduction(final Introduction introduction) {
    return new CanonicalWriter()
        .u8(VERSION)
        .ordinal(introduction.result())
        .text(introduction.reason())
        .toBytes();
  }

  /** Reads {@link #encodeIntroduction}. */
  public static Introduction decodeIntroduction(final byte[] bytes) {
    return decode(
        bytes, in -> new Introduction(in.ordinal(Introduction.Result.values()), in.text()));
  }

  private static void credential(final CanonicalWriter out, final CredentialRecord credential) {
    out.id(credential.keyId()).bits(credential.digest());
    if (credential.binding() instanceof CredentialBinding.OneSubject one) {
      out.flag(true).id(one.principal());
    } else if (credential.binding() instanceof CredentialBinding.SubjectsUnder under) {
      out.flag(false).text(under.prefix());
    }
    out.i64(credential.expiresAtNanos());
  }

  private static CredentialRecord credential(final CanonicalReader in) {
    return new CredentialRecord(
        in.id(),
        in.bits(),
        in.flag()
            ? new CredentialBinding.OneSubject(in.id())
            : new CredentialBinding.SubjectsUnder(in.text()),
        in.i64());
  }

  private static <T> T decode(final byte[] bytes, final Function<CanonicalReader, T> read) {
    return CanonicalReader.read(
        bytes,
        in -> {
          final int version = in.u8();
          if (version != VERSION) {
            throw new MalformedBytesException("policies in an unknown version, " + version);
          }
          return read.apply(in);
        });
  }

  private static void plan(final CanonicalWriter out, final Plan plan) {
    out.text(plan.name()).i64(plan.generation()).bits(plan.revision());
    permissions(out, plan.routes());
    permissions(out, plan.work());
    out.list(plan.operations(), PolicyCodec::operation);
  }

  private static Plan plan(final CanonicalReader in) {
    return new Plan(
        in.text(),
        in.i64(),
        in.bits(),
        permissions(in),
        permissions(in),
        in.list(PolicyCodec::operation));
  }

  private static void permissions(final CanonicalWriter out, final Permissions permissions) {
    out.flag(permissions.all()).list(new TreeSet<>(permissions.names()), CanonicalWriter::text);
  }

  private static Permissions permissions(final CanonicalReader in) {
    return new Permissions(in.flag(), names(in));
  }

  private static void operation(final CanonicalWriter out, final OperationPrice operation) {
    out.text(operation.operation())
        .list(operation.prices(), PolicyCodec::price)
        .i64(operation.estimateItems())
        .i64(operation.maximumItems())
        .ordinal(operation.billing())
        .i64(operation.longest().toNanos());
  }

  private static OperationPrice operation(final CanonicalReader in) {
    return new OperationPrice(
        in.text(),
        in.list(PolicyCodec::price),
        in.i64(),
        in.i64(),
        in.ordinal(Billing.values()),
        Duration.ofNanos(in.i64()));
  }

  private static void price(final CanonicalWriter out, final MeterPrice price) {
    out.text(price.meter())
        .i64(price.fixedUnits())
        .i64(price.unitsPerItem())
        .i64(price.minimumUnits());
  }

  private static MeterPrice price(final CanonicalReader in) {
    return new MeterPrice(in.text(), in.i64(), in.i64(), in.i64());
  }

  private static void principal(final CanonicalWriter out, final PrincipalPolicy policy) {
    if (policy instanceof PrincipalPolicy.Published published) {
      final PrincipalSnapshot snapshot = published.snapshot();
      out.flag(true)
          .id(snapshot.principal())
          .i64(snapshot.generation())
          .text(snapshot.plan())
          .list(snapshot.legs(), PolicyCodec::leg)
          .i64(snapshot.concurrencyCeiling());
    } else {
      out.flag(false).id(policy.principal()).i64(policy.generation());
    }
  }

  private static PrincipalPolicy principal(final CanonicalReader in) {
    return in.flag()
        ? new PrincipalPolicy.Published(
            new PrincipalSnapshot(
                in.id(), in.i64(), in.text(), in.list(PolicyCodec::leg), in.i64()))
        : new PrincipalPolicy.Revoked(in.id(), in.i64());
  }

  private static void leg(final CanonicalWriter out, final SnapshotLeg leg) {
    out.id(leg.account()).list(new TreeSet<>(leg.meters()), CanonicalWriter::text);
  }

  private static SnapshotLeg leg(final CanonicalReader in) {
    return new SnapshotLeg(in.id(), names(in));
  }

  private static Set<String> names(final CanonicalReader in) {
    final List<String> read = new ArrayList<>(in.list(CanonicalReader::text));
    final Set<String> names = new LinkedHashSet<>(read);
    if (!List.copyOf(new TreeSet<>(names)).equals(read)) {
      throw new MalformedBytesException("a set of names is not in order, or repeats one");
    }
    return names;
  }
}

import { isJsonObject } from './json.ts';

/**
 * Where explicit nulls read as absent: in an object under its own keys, and in what `nested` names
 * below it. Lists pass through to their elements. What no plan names (schemas, tool outputs,
 * metadata) belongs to the client or the provider and keeps its nulls.
 */
export interface AbsencePlan {
  readonly nested?: Readonly<Record<string, AbsencePlan>>;
  /** Keys that client libraries add to what they echo and that say nothing to a provider. */
  readonly ignored?: readonly string[];
  /** Keys whose empty list reads as absent. */
  readonly emptyIsAbsent?: readonly string[];
}

/** The value without what reads as absent; the very same value where nothing does. */
export function withoutAbsent(value: unknown, plan: AbsencePlan): unknown {
  if (Array.isArray(value)) return eachWithoutAbsent(value, plan);
  if (!isJsonObject(value)) return value;
  let changed = false;
  const kept: [string, unknown][] = [];
  for (const [key, before] of Object.entries(value)) {
    if (readsAsAbsent(key, before, plan)) {
      changed = true;
      continue;
    }
    const nested = nestedPlan(plan, key);
    const after = nested ? withoutAbsent(before, nested) : before;
    changed ||= after !== before;
    kept.push([key, after]);
  }
  return changed ? Object.fromEntries(kept) : value;
}

/** A client may name a key like a method of every object. */
function nestedPlan({ nested }: AbsencePlan, key: string): AbsencePlan | undefined {
  return nested && Object.hasOwn(nested, key) ? nested[key] : undefined;
}

function readsAsAbsent(key: string, value: unknown, plan: AbsencePlan): boolean {
  if (value === null || plan.ignored?.includes(key)) return true;
  return Array.isArray(value) && value.length === 0 && (plan.emptyIsAbsent?.includes(key) ?? false);
}

function eachWithoutAbsent(list: unknown[], plan: AbsencePlan): unknown[] {
  let copy: unknown[] | undefined;
  list.forEach((before, index) => {
    const after = withoutAbsent(before, plan);
    if (after === before) return;
    copy ??= [...list];
    copy[index] = after;
  });
  return copy ?? list;
}

import { invalidRequest } from '../../api/error.ts';

const MOST_MARKERS = 4;

interface Marker {
  readonly ttl?: '5m' | '1h' | null;
}

/** The parts of a request in the order in which the provider caches them. */
export interface CachedParts {
  readonly tools: readonly object[];
  readonly system: readonly object[];
  readonly messages: readonly { readonly content?: unknown }[];
  /** The request's own marker, which the provider puts on the last block. */
  readonly automatic: Marker | undefined;
}

/** Throws a 400 where the markers are more than four, or a longer-lived one follows a shorter. */
export function checkCacheMarkers(parts: CachedParts): void {
  const markers = [
    ...[...parts.tools, ...parts.system].flatMap(markersOf),
    ...parts.messages.flatMap(({ content }) => contentMarkers(content)),
    ...(parts.automatic ? [parts.automatic] : []),
  ];
  if (markers.length > MOST_MARKERS) {
    throw invalidRequest(
      `cache_control stands in ${markers.length} places; at most ${MOST_MARKERS} may be sent, the top-level one counted`,
    );
  }
  const firstShort = markers.findIndex((marker) => marker.ttl !== '1h');
  const lastLong = markers.findLastIndex((marker) => marker.ttl === '1h');
  if (firstShort !== -1 && firstShort < lastLong) {
    throw invalidRequest(
      'cache_control with ttl "1h" stands after one with "5m"; put the longer-lived markers first (tools, then system, then messages, the top-level one last)',
    );
  }
}

function contentMarkers(content: unknown): Marker[] {
  return Array.isArray(content) ? content.flatMap(markersOf) : [];
}

/** The block's own marker after those of what it holds (the texts of a tool's result). */
function markersOf(block: {
  readonly cache_control?: Marker | null;
  readonly content?: unknown;
}): Marker[] {
  const own = block.cache_control;
  return [...contentMarkers(block.content), ...(own ? [own] : [])];
}

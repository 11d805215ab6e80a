import type { Tracing, TracingOptions } from './tracing.ts'

/**
 * Sends traces to a collector. The library is loaded only here, because it costs 25 MB of memory and a quarter of a
 * second that a gateway without tracing does not spend.
 */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const [{ openSpans }, { createTracing }] = await Promise.all([import('./spans.ts'), import('./create-tracing.ts')])
  return createTracing(openSpans(options))
}

import type { Tracing, TracingOptions } from './tracing.ts'

/**
 * Traces that go to a collector. What makes them is only loaded here, 25 MB of memory and a quarter of a second that a
 * gateway without traces does not spend.
 */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const [{ openSpans }, { createTracing }] = await Promise.all([import('./spans.ts'), import('./create-tracing.ts')])
  return createTracing(openSpans(options))
}

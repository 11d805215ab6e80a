import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startGatewayProcess } from '../gateway-process.ts'
import { median, type Load } from '../load.ts'
import { loadCollections } from '../measure-accepting.ts'
import { residentMb, temporaryFolder } from '../processes.ts'
import { atLeast, atMost, connectTo, rate, type Section } from '../section.ts'

const PAIRS = 8
const RATIO = '0.01'
const TARGET = 0.97

interface Pair {
  readonly without: Load
  readonly traced: Load
}

/** Two gateways, each with a PostgreSQL of its own, by turns: what one of a hundred requests traced costs all of them. */
export const tracesSection: Section = {
  name: 'traces',
  what: `accepting with ${RATIO} of the requests traced, beside a gateway without traces`,
  async run(step) {
    const collector = await startCollector()
    const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: RATIO }
    const without = await startGatewayProcess('api', await temporaryFolder())
    const traced = await startGatewayProcess('api', await temporaryFolder(), {
      env: { ...sampled, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    })
    const databases = [await connectTo(without), await connectTo(traced)]
    const loaded = async (gateway: typeof without): Promise<Load> => {
      for (const { client } of databases) await client.query('checkpoint')
      return loadCollections(gateway)
    }
    const pairs: Pair[] = []
    for (let pair = 0; pair < PAIRS; pair += 1) {
      step(`pair ${pair + 1} of ${PAIRS}`)
      // The second of a pair finds a machine that is warmer, or busier: by turns it is the other one.
      const first = pair % 2 === 0 ? await loaded(without) : undefined
      const second = await loaded(traced)
      pairs.push({ without: first ?? (await loaded(without)), traced: second })
    }
    const memory = { without: await residentMb(without.pid), traced: await residentMb(traced.pid) }
    for (const { close } of databases) await close()
    // What is left of the traces is delivered as it stops.
    await Promise.all([without.stop(), traced.stop()])
    await collector.close()
    return {
      figures: figuresOf(pairs),
      notes: [
        `${PAIRS} pairs; ratios from ${ratiosOf(pairs)
          .map((ratio) => ratio.toFixed(3))
          .join(', ')}.`,
        `Memory after the load: ${Math.round(memory.without)} MB without traces, ${Math.round(memory.traced)} MB with. The collector got ${collector.spans()} spans.`,
      ],
      raw: { pairs, memory, spans: collector.spans() },
    }
  },
}

const ratiosOf = (pairs: readonly Pair[]): readonly number[] =>
  pairs.map(({ without, traced }) => traced.perSecond / without.perSecond)

const figuresOf = (pairs: readonly Pair[]) => [
  {
    name: 'accepted collections, 1 % traced',
    value: rate(median(pairs.map(({ traced }) => traced.perSecond))),
    peer: `without traces ${rate(median(pairs.map(({ without }) => without.perSecond)))}`,
    ...atLeast(TARGET, median(ratiosOf(pairs))),
  },
  {
    name: 'replies that were not as expected',
    ...atMost(
      0,
      'replies',
      pairs.reduce((sum, { without, traced }) => sum + without.failed + traced.failed, 0),
    ),
  },
]

/** Takes everything and counts it. */
async function startCollector() {
  let spans = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      spans += body.split('"spanId"').length - 1
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

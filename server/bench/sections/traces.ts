import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { present } from '../../domain/present.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { median, type Load } from '../load.ts'
import { loadCollections } from '../measure-accepting.ts'
import { residentMb, temporaryFolder } from '../processes.ts'
import { atLeast, atMost, connectTo, rate, type Section } from '../section.ts'

/** Many and short: the machine's own pace drifts by far more than what is looked for, and a pair is over before it does. */
const PAIRS = 40
const SLICE = { warmUpMs: 300, measureMs: 1_500 }
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
    for (const gateway of [without, traced]) await loadCollections(gateway)
    for (const { client } of databases) await client.query('checkpoint')
    const pairs: Pair[] = []
    for (let pair = 0; pair < PAIRS; pair += 1) {
      step(`pair ${pair + 1} of ${PAIRS}`)
      // The second of a pair finds a machine that is warmer, or busier: by turns it is the other one.
      const first = pair % 2 === 0 ? await loadCollections(without, SLICE) : undefined
      const second = await loadCollections(traced, SLICE)
      pairs.push({ without: first ?? (await loadCollections(without, SLICE)), traced: second })
    }
    const memory = { without: await residentMb(without.pid), traced: await residentMb(traced.pid) }
    for (const { close } of databases) await close()
    // What is left of the traces is delivered as it stops.
    await Promise.all([without.stop(), traced.stop()])
    await collector.close()
    return {
      figures: figuresOf(pairs),
      notes: [
        `${PAIRS} pairs of ${SLICE.measureMs} ms each; half of the ratios lie from ${quartilesOf(pairs).join(' to ')}.`,
        `Processor of the gateway for each accepted collection: ${costRatio(pairs).toFixed(3)} × with traces.`,
        `Memory after the load: ${Math.round(memory.without)} MB without traces, ${Math.round(memory.traced)} MB with. The collector got ${collector.spans()} spans.`,
      ],
      raw: { pairs, memory, spans: collector.spans() },
    }
  },
}

const ratiosOf = (pairs: readonly Pair[]): readonly number[] =>
  pairs.map(({ without, traced }) => traced.perSecond / without.perSecond)

function quartilesOf(pairs: readonly Pair[]): readonly string[] {
  const sorted = ratiosOf(pairs).toSorted((a, b) => a - b)
  return [0.25, 0.75].map((share) => present(sorted[Math.floor(sorted.length * share)], 'a ratio').toFixed(3))
}

const costRatio = (pairs: readonly Pair[]): number => {
  const cost = ({ cores, perSecond }: Load): number => present(cores.server, 'its processor') / perSecond
  return median(pairs.map(({ without, traced }) => cost(traced) / cost(without)))
}

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

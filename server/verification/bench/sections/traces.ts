import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { present } from '../../../domain/present.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { median, type Load } from '../load.ts'
import { loadCollections } from '../measure-accepting.ts'
import { residentMb, temporaryFolder } from '../processes.ts'
import { atMost, rate, type Section } from '../section.ts'
import { costOfTraces } from '../trace-cost.ts'

/** Many short rounds: the machine's own speed drifts by far more than the effect measured, but not within one round. */
const ROUNDS = 24
const SLICE = { warmUpMs: 300, measureMs: 1_500 }
const RATIO = 0.01
/** As a share of the processor time of an accepted collection. */
const SHARE_MAX = 0.03

const GATEWAYS = ['without', 'alike', 'traced'] as const
type Round = Readonly<Record<(typeof GATEWAYS)[number], Load>>

/**
 * What tracing one request in a hundred costs per request. Two gateways with the same code and settings differ by up
 * to
 * 14 % of processor time, each for as long as it runs, so the cost itself is measured in one process. For comparison,
 * the
 * report shows the throughput of a gateway that traces next to that of two that do not, which also differ from each
 * other.
 */
export const tracesSection: Section = {
  name: 'traces',
  what: `accepting with ${RATIO * 100} % of the requests traced, beside two gateways without traces`,
  async run(step) {
    const collector = await startCollector()
    step('the cost of a trace')
    const costUs = await costOfTraces(collector.url, RATIO)
    const gateways = {
      without: await startGatewayProcess('api', await temporaryFolder()),
      alike: await startGatewayProcess('api', await temporaryFolder()),
      traced: await startGatewayProcess('api', await temporaryFolder(), {
        env: {
          OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
          OTEL_TRACES_SAMPLER_ARG: String(RATIO),
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        },
      }),
    }
    for (const name of GATEWAYS) await loadCollections(gateways[name])
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      step(`round ${round + 1} of ${ROUNDS}`)
      const loads: Partial<Record<keyof Round, Load>> = {}
      // Whoever runs later finds a warmer or busier machine: rotate the order.
      for (let turn = 0; turn < GATEWAYS.length; turn += 1) {
        const name = present(GATEWAYS[(round + turn) % GATEWAYS.length], 'a gateway')
        loads[name] = await loadCollections(gateways[name], SLICE)
      }
      rounds.push(loads as Round) // each of them has had its turn
    }
    const memory = { without: await residentMb(gateways.without.pid), traced: await residentMb(gateways.traced.pid) }
    // The remaining traces are delivered while they stop.
    await Promise.all(GATEWAYS.map((name) => gateways[name].stop()))
    await collector.close()
    return {
      figures: figuresOf(costUs, rounds),
      notes: [
        `${ROUNDS} rounds of ${SLICE.measureMs} ms for each gateway.`,
        `Memory after the load: ${Math.round(memory.without)} MB without traces, ${Math.round(memory.traced)} MB with. The collector got ${collector.spans()} spans.`,
      ],
      raw: { costUs, rounds, memory, spans: collector.spans() },
    }
  },
}

function figuresOf(costUs: number, rounds: readonly Round[]) {
  const acceptedUs = median(
    rounds.map(({ without }) => (present(without.cores.server, 'its processor') / without.perSecond) * 1e6),
  )
  const beside = (name: keyof Round) => ({
    value: rate(median(rounds.map((round) => round[name].perSecond))),
    peer: `without traces ${rate(median(rounds.map(({ without }) => without.perSecond)))}`,
    ratio: median(rounds.map((round) => round[name].perSecond / round.without.perSecond)),
  })
  return [
    {
      name: 'processor for the traces, each request',
      value: `${costUs.toFixed(2)} µs`,
      peer: `accepting ${acceptedUs.toFixed(0)} µs`,
      ratio: costUs / acceptedUs,
      target: `≤ ${SHARE_MAX} ×`,
      reached: costUs / acceptedUs <= SHARE_MAX,
    },
    { name: 'accepted collections, 1 % traced', ...beside('traced') },
    { name: 'accepted collections, a gateway alike', ...beside('alike') },
    {
      name: 'replies that were not as expected',
      ...atMost(
        0,
        'replies',
        rounds.flatMap((round) => GATEWAYS.map((name) => round[name].failed)).reduce((sum, failed) => sum + failed, 0),
      ),
    },
  ]
}

/** A collector that accepts everything and counts it. */
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

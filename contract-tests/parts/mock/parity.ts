import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { byCause } from '../../harness/causes.ts'
import { curlLine } from '../../harness/curl.ts'
import { listen } from '../../harness/listen.ts'
import { beginPart, present, type Finding, type Part, type Target } from '../../harness/part.ts'
import { readContract, type Operation } from '../../../openapi/reading/contract.ts'
import { contractTarget } from '../../driver/our-account.ts'
import { startPrism, type Prism } from '../../driver/prism.ts'
import { exampleRequest, parityCases, type ExampleSource, type ParityCase } from './parity-cases.ts'
import { differencesOf, type Difference } from './parity-explanations.ts'
import { aspects, seenAt, type ParityReply } from './parity-replies.ts'

/** The mock never answers a body that is not JSON, so a longer wait is pointless. */
const HOPELESS_MS_MAX = 1_500

/** The result of a comparison. */
export interface ParityResult {
  readonly cases: number
  readonly differences: readonly Difference[]
  /** The topics of the requests. */
  readonly topics: readonly string[]
}

/** Sends the same requests to Prism and to the server: each difference must have an explanation. */
export const parityPart: Part = {
  name: 'mock parity',
  what: 'the mock and the server answer the same, or the difference is explained',
  byOperation: true,
  async run(target, { log, operations }) {
    const { done, skipped } = beginPart('mock parity')
    if (!target.sandbox) return skipped("the contract's examples need the sandbox's providers")
    const prism = await startPrism(pathToFileURL(target.contract)).catch((error: unknown) => String(error))
    if (typeof prism === 'string') return skipped(prism)
    try {
      const { cases, differences, topics } = await compareWithMock(target, prism, operations)
      const findings = findingsOf(target, differences)
      log(
        `${cases} requests to the mock and the server: ${differences.length} differences, ${differences.filter(({ why }) => why === undefined).length} unexplained`,
      )
      return done({ cases, checks: cases * aspects.length, findings, rules: topics })
    } finally {
      await prism.stop()
    }
  },
}

/** Sends every case to a running mock and to the server. */
export async function compareWithMock(target: Target, prism: Prism, wanted?: readonly string[]): Promise<ParityResult> {
  const contract = readContract(target.contract)
  const operations = contract.operations.filter(({ kind }) => kind === 'operation')
  // Prism calls a `redirect_url` itself: this shop is on this machine.
  const shop = await listen(createServer((_request, response) => void response.end()))
  // Every run has references of its own: a running server has kept those of the last one.
  let counter = Date.now()
  const account = contractTarget(target, contract)
  const source: ExampleSource = { contract, account, next: () => counter++, redirectUrl: `${shop.url}/paid` }
  try {
    const knownReference = await sendKnown(target.url, operations, source)
    const cases = parityCases(operations, { ...source, knownReference }).filter(
      ({ operationId = '' }) => wanted === undefined || wanted.includes(operationId),
    )
    // Operations run concurrently, because one request waits in vain for a reply of the mock. Within an operation the
    // order counts.
    const groups = [...Map.groupBy(cases, ({ operationId }) => operationId).values()]
    const differences = await Promise.all(groups.map((group) => differencesInOrder(group, prism.baseUrl, target.url)))
    const topics = [...new Set(cases.map(({ topic }) => topic))]
    return { cases: cases.length, differences: differences.flat(), topics }
  } finally {
    await shop.close()
  }
}

async function differencesInOrder(
  cases: readonly ParityCase[],
  mockUrl: string,
  serverUrl: string,
): Promise<Difference[]> {
  const found: Difference[] = []
  for (const each of cases) {
    const mock = await seenAt(mockUrl, each.request, each.topic === 'body no JSON' ? HOPELESS_MS_MAX : undefined)
    const server = await seenAt(serverUrl, each.request)
    found.push(...differencesOf(each, mock, await orAgain(server, mock, each, serverUrl)))
  }
  return found
}

/** Creates the collection for verify; when the server refuses it, the cases of verify report that. */
async function sendKnown(url: string, operations: readonly Operation[], source: ExampleSource): Promise<string> {
  const collect = present(
    operations.find(({ id }) => id === 'initializeCollection'),
    'operation initializeCollection',
  )
  const request = exampleRequest(source, collect)
  await seenAt(url, request)
  return (JSON.parse(request.body.toString('utf8')) as { readonly merchant_reference: string }).merchant_reference
}

/** Repeats a request once when the reply is missing or the server is overloaded, because that depends on time. */
const BUSY = ['no reply', '408', '503', '504']

async function orAgain(
  server: ParityReply,
  mock: ParityReply,
  each: ParityCase,
  serverUrl: string,
): Promise<ParityReply> {
  if (!BUSY.includes(server.status) || mock.status === server.status) return server
  const again = await seenAt(serverUrl, each.request)
  // The first request was carried out and only its reply was lost: there is nothing to compare.
  return again.status === '409' && each.request.method !== 'GET' ? mock : again
}

/** The same difference in many requests is one finding, shown by the first. */
function findingsOf(target: Target, differences: readonly Difference[]): Finding[] {
  const unexplained = differences.filter(({ why }) => why === undefined)
  // Another status has another message, headers and fields: that is one defect.
  const otherStatus = new Set(unexplained.flatMap((each) => (each.aspect === 'status' ? [each.case] : [])))
  const reported = unexplained.filter((each) => each.aspect === 'status' || !otherStatus.has(each.case))
  return byCause(
    reported.map((difference): Finding => {
      const { case: request, aspect, mock, server } = difference
      const cause = causeOf(difference)
      return {
        about: request.operationId ?? 'routes',
        what: `${request.topic} (${request.name}): ${aspect} of the mock is "${mock}", of the server "${server}", and nothing explains it`,
        rule: request.topic,
        cause,
        curl: curlLine(target, request.request),
      }
    }),
  )
}

/** Removed and added parts, wherever they show; acceptance is compared per topic. */
function causeOf({ case: { topic }, aspect, mock, server }: Difference): string {
  if (aspect === 'status') return `mock parity: ${topic}: ${mock} ${server}`
  const separator = aspect === 'message' ? ' ' : ', '
  const [ofMock, ofServer] = [mock.split(separator), server.split(separator)]
  const missing = ofMock.filter((each) => !ofServer.includes(each)).join(separator)
  const added = ofServer.filter((each) => !ofMock.includes(each)).join(separator)
  return `mock parity: ${aspect}: ${missing} → ${added}`
}

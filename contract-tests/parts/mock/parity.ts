import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { curlLine } from '../../harness/curl.ts'
import { listen } from '../../harness/listen.ts'
import { wireRequest } from '../../harness/proxy.ts'
import { beginPart, type Finding, type Part, type Target } from '../../harness/part.ts'
import { readContract } from '../../../openapi/reading/contract.ts'
import { operationsIn, type Operation } from './answers.ts'
import { parityCases, type ParityCase, type Setting } from './parity-cases.ts'
import { differencesOf, type Difference } from './parity-explanations.ts'
import { aspects, seenAt } from './parity-replies.ts'
import { startPrism, type Prism } from './prism.ts'

/** The mock never answers a body that is not JSON: there is no need to wait longer for that. */
const HOPELESS_MS_MAX = 1_500

/** What a comparison gives. */
export interface Parity {
  readonly cases: number
  readonly differences: readonly Difference[]
}

/** The same requests to Prism and to the server: each difference must be one that was explained. */
export const parityPart: Part = {
  name: 'mock parity',
  what: 'the mock and the server answer alike, or the difference is explained',
  async run(target, { log }) {
    const { done, skipped } = beginPart('mock parity')
    if (!target.sandbox) return skipped("the contract's examples need the sandbox's providers")
    const prism = await startPrism(pathToFileURL(target.contract)).catch((error: unknown) => String(error))
    if (typeof prism === 'string') return skipped(prism)
    try {
      const { cases, differences } = await compareWithMock(target, prism)
      const findings = findingsOf(target, differences)
      log(
        `${cases} requests to the mock and the server: ${differences.length} differences, ${differences.filter(({ why }) => why === undefined).length} unexplained`,
      )
      return done({ cases, checks: cases * aspects.length, findings })
    } finally {
      await prism.stop()
    }
  },
}

/** Sends every case to a running mock and to the server. */
export async function compareWithMock(target: Target, prism: Prism): Promise<Parity> {
  const { document } = readContract(target.contract)
  const operations = operationsIn(document)
  // Prism calls a `redirect_url` itself: this shop is on this machine.
  const shop = await listen(createServer((_request, response) => void response.end()))
  // Every run has references of its own: a server that runs on has kept those of the last one.
  const run = Date.now().toString(36).toUpperCase()
  let counter = 0
  const newReference = (): string => `PARITY-${run}-${String(++counter).padStart(4, '0')}`
  const setting: Setting = {
    publicKey: target.publicKey,
    secretKey: target.secretKey,
    newReference,
    knownReference: newReference(),
    redirectUrl: `${shop.url}/paid`,
  }
  try {
    await sendKnown(target, operations, setting)
    const cases = parityCases(operations, setting)
    // Operations side by side: one of the requests waits in vain for a reply of the mock. Within an operation the order
    // counts.
    const groups = Object.values(Object.groupBy(cases, ({ operationId = '' }) => operationId))
    const differences = await Promise.all(
      groups.map((group = []) => differencesInOrder(group, prism.baseUrl, target.url)),
    )
    return { cases: cases.length, differences: differences.flat() }
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
    const mock = await seenAt(mockUrl, each, each.topic === 'body no JSON' ? HOPELESS_MS_MAX : undefined)
    found.push(...differencesOf(each, mock, await seenAt(serverUrl, each)))
  }
  return found
}

/** Makes the collection that verify asks for; when the server refuses it, the cases of verify will say so. */
async function sendKnown({ url }: Target, operations: readonly Operation[], setting: Setting): Promise<void> {
  const collection = operations.filter(({ operationId }) => operationId === 'initializeCollection')
  for (const each of parityCases(collection, { ...setting, newReference: () => setting.knownReference }).slice(0, 1))
    await seenAt(url, each)
}

/** The same difference in many requests is one finding, shown by the first. */
function findingsOf(target: Target, differences: readonly Difference[]): Finding[] {
  const unexplained = differences.filter(({ why }) => why === undefined)
  const groups = Object.values(
    Object.groupBy(unexplained, ({ case: { operationId }, aspect, mock, server }) =>
      [operationId, aspect, mock, server].join('\n'),
    ),
  )
  return groups.flatMap((group = []) =>
    group.slice(0, 1).map(({ case: request, aspect, mock, server }) => ({
      about: request.operationId ?? 'routes',
      what: `${request.topic} (${request.name}${group.length > 1 ? ` and ${group.length - 1} more` : ''}): ${aspect} of the mock is "${mock}", of the server "${server}", and nothing explains it`,
      curl: curlOf(target, request),
    })),
  )
}

const curlOf = (target: Target, { method, path, headers, body }: ParityCase): string =>
  curlLine(target, wireRequest(method, path, headers, body))

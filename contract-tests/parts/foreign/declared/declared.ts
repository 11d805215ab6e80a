import { readContract, type Contract, type Operation } from '../../../../openapi/reading/contract.ts'
import { beginPart, type RunOptions } from '../../../harness/part.ts'
import { wireRequest } from '../../../harness/proxy.ts'
import { askerOf, type CaseRunner } from '../../declared/asker.ts'
import type { ForeignPart, ForeignTarget } from '../target.ts'
import { createTraffic } from '../traffic.ts'
import type { ForeignAsk, Remarks } from './ask.ts'
import { deviations, type About } from './deviations.ts'
import { judgeForeign } from './judge.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Numbers of one seed lie in a range of their own, and so do those of runs on one server, most likely. */
const NUMBERS_PER_SEED = 9_973
const NUMBERS = 90_000_000

/** Asks once for everything that a contract declares, of whatever it is about. */
export const foreignDeclared: ForeignPart = {
  name: 'declared',
  what: 'each thing the contract declares, once',
  byOperation: true,
  async run(target, options) {
    const { done } = beginPart('declared', options.seed)
    const contract = readContract(target.contract)
    const remarks = createRemarks()
    const asker = askerOf<ForeignAsk>({
      url: target.url,
      hide: target.hide,
      judge: (request, reply) => {
        const { credentials, values } = target
        const hasValues = (id: string): boolean => Object.hasOwn(values.operations, id)
        const judging = { contract, credentials, refusals: values.refusals, hasValues, remark: remarks.remark }
        return judgeForeign(judging, request, reply)
      },
      mayClose: () => false,
    })
    await survey(target, contract, asker, options)
    return done({ ...asker.result(), reason: remarks.text() })
  },
}

async function survey(
  target: ForeignTarget,
  contract: Contract,
  { put }: CaseRunner<ForeignAsk>,
  { seed, log, operations: wanted }: RunOptions,
): Promise<void> {
  let counter = (Date.now() + seed * NUMBERS_PER_SEED) % NUMBERS
  const traffic = createTraffic(target, contract, () => counter++)
  const operations = contract.operations.filter(
    ({ kind, id }) => kind === 'operation' && (wanted === undefined || wanted.includes(id)),
  )
  for (const operation of operations) {
    log(`declared: ${operation.id}`)
    const drafts = await traffic.drafts(operation)
    for (const [index, { name }] of drafts.entries()) {
      // Made anew: what the first one has used up is not there for the second.
      const draft = (await traffic.drafts(operation))[index]?.draft
      if (!draft) continue
      const request = traffic.toRequest(operation, draft)
      const reply = await put({ operation, rule: name, expect: 'success', request })
      if (reply) traffic.remember(operation, request, reply)
      // Whether it may come twice, its contract does not say in a way that a program reads.
      if (operation.method !== 'GET') await put({ operation, rule: `${name}, again`, expect: 'either', request })
    }
    const about: About = { target, contract, traffic, operation }
    for (const deviation of deviations(about, drafts)) await put(await deviation())
  }
  for (const request of await nowhere(operations, traffic)) await put(request)
}

/** Methods that a path does not have, and a path that is not there. */
async function nowhere(
  operations: readonly Operation[],
  traffic: ReturnType<typeof createTraffic>,
): Promise<ForeignAsk[]> {
  const requests: ForeignAsk[] = []
  for (const group of Map.groupBy(operations, ({ path }) => path).values()) {
    const [operation] = group
    const [first] = operation ? await traffic.drafts(operation) : []
    if (!operation || !first) continue
    const methods = group.map(({ method }) => method)
    const { body: _body, mediaType: _type, ...draft } = first.draft
    const request = traffic.toRequest(operation, draft)
    for (const method of METHODS.filter((each) => !methods.includes(each)))
      requests.push({
        operation,
        rule: 'a request with a method that its path does not have',
        expect: 'nowhere',
        request: { ...request, method },
        methods,
      })
  }
  const [any] = operations
  if (any)
    requests.push({
      operation: any,
      rule: 'a request to a path that the contract does not know',
      expect: 'nowhere',
      request: wireRequest('GET', '/there/is/no/such/path', {}),
    })
  return requests
}

/** Gathers what is to be told without being a finding. */
function createRemarks(): Remarks & { text(): string | undefined } {
  const reported = new Map<string, Set<string>>()
  return {
    remark: (kind, { operation }) => void reported.set(kind, (reported.get(kind) ?? new Set()).add(operation.id)),
    text: () =>
      reported.size === 0
        ? undefined
        : [...reported].map(([kind, operations]) => `${kind} (${[...operations].join(', ')})`).join('; '),
  }
}

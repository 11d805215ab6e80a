import { readContract, type Contract, type Operation } from '../../../../openapi/reading/contract.ts'
import { beginPart, type RunOptions } from '../../../harness/part.ts'
import { wireRequest } from '../../../harness/proxy.ts'
import { caseRunnerOf, type CaseRunner } from '../../declared/case-runner.ts'
import type { ForeignPart, ForeignTarget } from '../target.ts'
import { createTraffic } from '../traffic.ts'
import type { ForeignCase, Remarks } from './foreign-case.ts'
import { effectsOfDelete } from './delete-effects.ts'
import { deviations, type DeviationContext } from './deviations.ts'
import { judgeForeign } from './judge.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Numbers of one seed have a range of their own and, most likely, so do those of other runs on one server. */
const NUMBERS_PER_SEED = 9_973
const NUMBERS = 90_000_000

/** Requests everything that a contract declares, once each, whatever its subject. */
export const foreignDeclared: ForeignPart = {
  name: 'declared',
  what: 'each thing the contract declares, once',
  byOperation: true,
  async run(target, options) {
    const { done } = beginPart('declared', options.seed)
    const contract = readContract(target.contract)
    const remarks = createRemarks()
    const runner = caseRunnerOf<ForeignCase>({
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
    await survey(target, contract, { ...runner, ...remarks }, options)
    return done({ ...runner.result(), reason: remarks.text() })
  },
}

async function survey(
  target: ForeignTarget,
  contract: Contract,
  { put, note, skip, warn }: CaseRunner<ForeignCase> & ReturnType<typeof createRemarks>,
  { seed, log, operations: wanted }: RunOptions,
): Promise<void> {
  let counter = (Date.now() + seed * NUMBERS_PER_SEED) % NUMBERS
  const traffic = createTraffic(target, contract, () => counter++)
  const operations = contract.operations.filter(
    ({ kind, id }) => kind === 'operation' && (wanted === undefined || wanted.includes(id)),
  )
  for (const operation of operations) {
    log(`declared: ${operation.id}`)
    const missing = await traffic.missing(operation)
    if (missing.length > 0) {
      for (const name of missing)
        skip(`no value of the path parameter ${name} is known: give one with --values`, operation)
      continue
    }
    const drafts = await traffic.drafts(operation)
    for (const [index, { name }] of drafts.entries()) {
      // Created anew: the first request may have used its resource up.
      const draft = (await traffic.drafts(operation))[index]?.draft
      if (!draft) continue
      const request = traffic.toRequest(operation, draft)
      const reply = await put({ operation, rule: name, expect: 'success', request })
      if (reply) traffic.remember(operation, request, reply)
      // The contract does not say in machine-readable form whether it may be repeated.
      if (operation.method !== 'GET') await put({ operation, rule: `${name}, again`, expect: 'either', request })
    }
    const about: DeviationContext = { target, contract, traffic, operation }
    for (const deviation of deviations(about, drafts)) await put(await deviation())
  }
  for (const request of await nowhere(operations, traffic)) await put(request)
  await effectsOfDelete(operations, { traffic, put, note, warn })
}

/** Undeclared methods of a path, and an unknown path. */
async function nowhere(
  operations: readonly Operation[],
  traffic: ReturnType<typeof createTraffic>,
): Promise<ForeignCase[]> {
  const requests: ForeignCase[] = []
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

/** Collects warnings that are no findings. */
function createRemarks() {
  const reported = new Map<string, Set<string>>()
  const warn = (kind: string, { id }: Operation): void =>
    void reported.set(kind, (reported.get(kind) ?? new Set()).add(id))
  const remark: Remarks['remark'] = (kind, { operation }) => warn(kind, operation)
  return {
    remark,
    warn,
    skip: (what: string, operation: Operation): void => warn(`not requested, because ${what}`, operation),
    text: (): string | undefined =>
      reported.size === 0
        ? undefined
        : [...reported].map(([kind, operations]) => `${kind} (${[...operations].join(', ')})`).join('; '),
  }
}

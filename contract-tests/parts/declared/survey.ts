import type { Operation } from '../../../openapi/reading/contract.ts'
import { responseFor } from '../../../openapi/reading/wire.ts'
import type { CaseRunner } from '../../driver/case-runner.ts'
import type { ContractTarget } from '../../driver/contract-target.ts'
import { plainText, valueIn, type CreatedResource } from '../../driver/contract-values.ts'
import type { DeclaredCase } from '../../driver/declared-case.ts'
import { at } from '../../driver/draft.ts'
import { expressionIn } from '../../driver/traffic.ts'
import type { RunOptions } from '../../harness/part.ts'
import { wireRequest } from '../../harness/proxy.ts'
import { effectsOfDelete } from './delete-effects.ts'
import { deviations, type DeviationContext } from './deviations.ts'
import type { createRemarks } from './remarks.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export interface SurveyContext
  extends
    Omit<DeviationContext, 'operation'>,
    CaseRunner<DeclaredCase>,
    Pick<ReturnType<typeof createRemarks>, 'skip' | 'warn'> {
  readonly target: ContractTarget
}

/** All requests, operation after operation. */
export async function survey(context: SurveyContext, { log, operations: wanted }: RunOptions): Promise<void> {
  const operations = context.contract.operations.filter(
    ({ kind, id }) => kind === 'operation' && (wanted === undefined || wanted.includes(id)),
  )
  for (const operation of operations) {
    log(`declared: ${operation.id}`)
    await requestAll(context, operation)
  }
  for (const request of await nowhere(context, operations, wanted === undefined)) await context.put(request)
  await effectsOfDelete(operations, context)
}

async function requestAll(context: SurveyContext, operation: Operation): Promise<void> {
  const { traffic, put, skip } = context
  const missing = await traffic.missing(operation)
  for (const name of missing) skip(`no value of the path parameter ${name} is known: give one with --values`, operation)
  if (missing.length > 0) return
  const drafts = await traffic.drafts(operation)
  for (const [index, { name }] of drafts.entries()) {
    // Created anew: the first request may have used its resource up.
    const draft = (await traffic.drafts(operation))[index]?.draft
    if (!draft) continue
    const request = traffic.toRequest(operation, draft)
    const reply = await put({ operation, rule: name, expect: 'success', request })
    if (reply) {
      traffic.remember(operation, request, reply)
      await followLinks(context, { operation, request, reply })
    }
    // The contract does not say in machine-readable form whether it may be repeated.
    if (operation.method !== 'GET') await put({ operation, rule: `${name}, again`, expect: 'either', request })
  }
  for (const deviation of deviations({ ...context, operation }, drafts)) await put(await deviation())
}

/** Where the links of a reply lead, as far as it takes no body. */
async function followLinks({ contract, traffic, put }: SurveyContext, made: CreatedResource): Promise<void> {
  const response = responseFor(made.operation, made.reply.status)
  for (const { name, link } of response?.links ?? []) {
    const operation = contract.operations.find(({ id }) => id === link.operationId)
    const [first] = operation && !operation.request ? await traffic.drafts(operation) : []
    if (!operation || !first) continue
    const linked = operation.parameters.flatMap((parameter): [string, string][] => {
      const what = expressionIn(link.parameters?.[parameter.name] ?? link.parameters?.[at(parameter).replace(' ', '.')])
      const value = what === undefined ? undefined : valueIn(made, what)
      return value === undefined ? [] : [[at(parameter), plainText(value)]]
    })
    const parameters = { ...first.draft.parameters, ...Object.fromEntries(linked) }
    const rule = `the link ${name} of ${made.operation.id}`
    const request = traffic.toRequest(operation, { ...first.draft, parameters })
    await put({ operation, rule, expect: 'success', request })
  }
}

/** Undeclared methods of a path, and an unknown path. */
async function nowhere(
  { traffic }: SurveyContext,
  operations: readonly Operation[],
  isWhole: boolean,
): Promise<DeclaredCase[]> {
  const requests: DeclaredCase[] = []
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
  if (any && isWhole)
    requests.push({
      operation: any,
      rule: 'a request to a path that the contract does not know',
      expect: 'nowhere',
      request: wireRequest('GET', '/there/is/no/such/path', {}),
    })
  return requests
}

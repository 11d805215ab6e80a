import type { Operation } from '../../../openapi/reading/contract.ts'
import type { CaseRunner } from '../../driver/case-runner.ts'
import type { DeclaredCase } from '../../driver/declared-case.ts'
import type { Traffic } from '../../driver/traffic.ts'

interface Effects extends Pick<CaseRunner<DeclaredCase>, 'put' | 'note'> {
  readonly traffic: Traffic
  readonly warn: (kind: string, operation: Operation) => void
}

/** A server may delete later when it answers 202 (RFC 9110, section 9.3.5). */
const DELETED = [200, 204]
const GONE = ['404', '410', '4XX']

/** What DELETE has removed is no longer there: GET of the same path is 404, where the contract has this status. */
export async function effectsOfDelete(operations: readonly Operation[], effects: Effects): Promise<void> {
  for (const operation of operations) {
    const reads = operations.find(({ method, path }) => method === 'GET' && path === operation.path)
    if (operation.method === 'DELETE' && reads && reads.responses.some(({ status }) => GONE.includes(status)))
      await effectOf(operation, reads, effects)
  }
}

async function effectOf(operation: Operation, reads: Operation, { traffic, put, note, warn }: Effects): Promise<void> {
  const [made] = await traffic.drafts(operation)
  if (!made) return
  const request = traffic.toRequest(operation, made.draft)
  const { parameters, ...draft } = (await traffic.drafts(reads))[0]?.draft ?? { parameters: {}, schemes: [] }
  // The path of the one, and whatever else the other needs.
  const get = { ...traffic.toRequest(reads, { ...draft, parameters }), path: request.path }
  const looked: DeclaredCase = { operation: reads, rule: 'GET before DELETE', expect: 'either', request: get }
  const before = await put(looked)
  const rule = 'DELETE of what GET has shown'
  const deleted = await put({ operation, rule, expect: 'either', request })
  if (before?.status !== 200 || !DELETED.includes(deleted?.status ?? 0)) return
  const again: DeclaredCase = { operation: reads, rule: 'GET after DELETE', expect: 'either', request: get }
  const after = await put(again)
  if (!after || after.status >= 300) return
  const what = `after DELETE ${request.path} was answered ${deleted?.status}, GET of the same path was answered ${after.status}`
  // Some servers only mark it as deleted, and show that.
  if (after.body.equals(before.body))
    note(
      'no effect of DELETE',
      again,
      `${what} with the same body as before, and the contract has 404 for what is not there`,
    )
  else warn(`${what}, with another body than before: is it only marked as deleted?`, operation)
}

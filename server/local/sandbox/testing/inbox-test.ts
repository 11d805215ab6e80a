import { beforeEach } from 'vitest'
import { present } from '../../../domain/present.ts'
import { gatewayTest } from '../../../verification/testing/gateway-test.ts'
import { collect, uniqueReference } from '../../../verification/testing/requests.ts'
import type { Checks } from '../../../domain/received/message.ts'

/** A message in the inbox's JSON format. */
export interface WireMessage {
  readonly id: number
  readonly kind: string
  readonly delivery: number
  readonly answered: number
  readonly merchant_reference: string
  readonly internal_reference: string
  readonly transaction_status: string
  readonly checks: Checks
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A gateway with its inbox, which is empty before each test, and requests to it. */
export async function inboxTest() {
  const { gateway, clock, after } = await gatewayTest()
  const inbox = `${gateway.url}/sandbox/inbox`
  beforeEach(() => gateway.pool.query('delete from sandbox.inbox'))

  /** The messages that a query of the inbox selects, newest first. */
  async function messages(query: string): Promise<readonly WireMessage[]> {
    const reply = await fetch(`${inbox}?${query}`, { headers: { accept: 'application/json' } })
    return ((await reply.json()) as { readonly messages: readonly WireMessage[] }).messages
  }

  /** Delivers what is due. */
  const deliver = () => after(0)

  /** Makes a payment, and returns its callback. One at a time: it runs every due job. */
  async function paid(msisdn = '256772000123'): Promise<WireMessage> {
    const reference = uniqueReference()
    await collect(gateway.url, { merchant_reference: reference, msisdn })
    await after(10_000)
    await deliver()
    return present((await messages(`reference=${reference}`))[0], reference)
  }

  const post = (body: string, headers: Readonly<Record<string, string>> = {}, query = '') =>
    fetch(`${inbox}${query}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

  /** Sends a message that no merchant's keys match. */
  const forge = (payload: object) =>
    post(JSON.stringify({ event: 'transaction.completed', payload }), { 'webhook-id': 'cb_OF_NOBODY' })

  return { gateway, clock, inbox, messages, paid, deliver, post, forge }
}

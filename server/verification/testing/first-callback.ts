import { expect } from 'vitest'
import { collect } from './requests.ts'
import { until } from './until.ts'

/** Verdicts of the inbox on a callback. */
export const VERIFIED = { webhook: { verdict: 'good' }, hmac: { verdict: 'good' }, rsa: { verdict: 'good' } }

/** Collects by the demo merchant, and waits for the callback in its inbox. @returns the verdicts on its signatures */
export async function firstCallback(url: string): Promise<unknown> {
  const order = { merchant_reference: 'ORDER-2026-0001' }
  expect(await collect(url, order)).toMatchObject({ status: 202 })
  let checks: unknown
  const arrived = async (): Promise<boolean> => {
    const reply = await fetch(`${url}/sandbox/inbox`, { headers: { accept: 'application/json' } })
    const { messages } = (await reply.json()) as { messages: readonly Record<string, unknown>[] }
    checks = messages.find((each) => each['merchant_reference'] === order.merchant_reference)?.['checks']
    return checks !== undefined
  }
  await until(arrived, 60_000, 'the callback arrives')
  return checks
}

export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

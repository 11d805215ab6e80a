import { expect, test } from 'vitest'
import { collection, operatedGateway } from './testing/operated-gateway.ts'
import { soon } from './testing/command-line.ts'

const { api, json, malipo, newMerchant } = await operatedGateway()

test('suspends and resumes a merchant of a running server, with a reason', async () => {
  const { public_key } = await newMerchant()
  const statusOf = async (reference: string) =>
    (await api('/collections/initialize', { 'public-key': public_key }, collection(reference))).status
  expect(await statusOf('BEFORE-0001')).toBe(202)
  await malipo(['merchant', 'suspend', public_key, '--reason', 'Complaints of 20 November'])
  await soon(async () => (await statusOf('MEANWHILE-0001')) === 401, 'the server knows of the suspension')
  expect((await malipo(['merchant', 'show', public_key])).out).toMatch(/^suspended +since /m)
  const resumed = await json(['merchant', 'resume', public_key, '--reason', 'Complaints settled'])
  expect(resumed).toMatchObject({ suspended_at: null })
  await soon(async () => (await statusOf('AFTERWARDS-0001')) === 202, 'the server knows of the end')
  const [end, begin] = await json<{ command: string; reason: string }[]>(['audit', 'list'])
  expect([begin, end]).toMatchObject([
    { command: 'merchant suspend', reason: 'Complaints of 20 November' },
    { command: 'merchant resume', reason: 'Complaints settled' },
  ])
})

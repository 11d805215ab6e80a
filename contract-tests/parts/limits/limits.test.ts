import { expect, test } from 'vitest'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { faultNamed } from '../../strength/faults/all.ts'
import type { Plant } from '../../strength/faults/fault.ts'
import { worldAround } from '../../strength/faults/world.ts'
import { runLimits, type Section } from './limits.ts'

// suite.pull-request.test.ts shows that our gateway keeps all of them, `npm run faults` what the part finds.

let planted: Plant = {}
const receiverPort = await freePort()
const merchant = await changingProxyTest(`http://127.0.0.1:${receiverPort}`, () => planted.merchant)
const { gateway } = await ownGatewayTest({ receiverPort: Number(new URL(merchant.url).port) })
const api = await changingProxyTest(gateway.url, () => planted.api)
const target = {
  ...gateway,
  url: api.url,
  ...(gateway.receiver && { receiver: { ...gateway.receiver, port: receiverPort } }),
}

/** Faults of the catalogue, the section that tests each, and the exact findings. */
const FOUND: readonly (readonly [fault: string, section: Section, ...found: readonly string[]])[] = [
  [
    'daily-limit-of-each-spelling',
    'dailyLimits',
    'initializeCollection: daily limit: the same number with a +',
    'sendFunds: daily limit: the same number with a +',
  ],
  [
    'otps-one-more',
    'accountBounds',
    'initializeCollection: an OTP after 15 wrong ones',
    'initializeCollection: one OTP more than 10',
  ],
]

test.each(FOUND)('finds %s', async (fault, section, ...found) => {
  planted = faultNamed(fault).plant(worldAround(() => gateway.url, receiverPort))
  const seed = 500 * (1 + FOUND.findIndex(([name]) => name === fault))
  const { findings } = await runLimits(target, { seed, size: 'pull-request', log: () => undefined }, [section])
  expect(findings.map(({ about, what }) => `${about}: ${what}`).toSorted()).toEqual(
    found.toSorted().map((text) => expect.stringContaining(text) as string),
  )
})

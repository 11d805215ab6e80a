import { expect, test } from 'vitest'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { present, type Target } from '../../harness/part.ts'
import { faultNamed } from '../../strength/faults/all.ts'
import type { Plant } from '../../strength/faults/fault.ts'
import { worldAround } from '../../strength/faults/world.ts'
import { optionsPart, runOptions } from './options.ts'

// suite.pull-request.test.ts shows that our gateway pays by every option as it lists and describes it.

const receiverPort = await freePort()
const { gateway } = await ownGatewayTest({ receiverPort })
let hooks: NonNullable<Plant['api']> = {}
const api = await changingProxyTest(gateway.url, () => hooks)
const target: Target = { ...gateway, url: api.url, receiver: present(gateway.receiver, 'receiver') }
const options = { size: 'pull-request', log: () => undefined } as const

test('is skipped without test numbers and says so', async () =>
  expect(await optionsPart.run({ ...target, sandbox: false }, { ...options, seed: 1 })).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('test numbers'),
  }))

/** Faults of the catalogue, the option that shows each, and the exact finding. */
const FOUND: readonly (readonly [fault: string, code: string, found: string])[] = [
  [
    'wema-bank-missing',
    'bank_ng',
    'listPayoutBanks: banks of bank_ng are not listed and in the docs of the sandbox: wema',
  ],
  ['airtel-rw-charge-doubled', 'airtel_rw', 'verifyTransaction: '],
]

test.each(FOUND)('finds %s', async (fault, code, found) => {
  hooks = faultNamed(fault).plant(worldAround(() => gateway.url, receiverPort)).api ?? {}
  const seed = 1_000 * (1 + FOUND.findIndex(([name]) => name === fault))
  const { findings } = await runOptions(target, { ...options, seed }, { codes: [code] })
  const reported = findings.map(({ about, what }) => `${about}: ${what}`)
  expect(reported).toContainEqual(expect.stringContaining(found))
  expect(new Set(findings.map(({ about }) => about)).size, reported.join('\n')).toBe(1)
})

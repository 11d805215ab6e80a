import { expect, test } from 'vitest'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { faultNamed } from '../../strength/faults/all.ts'
import type { Plant } from '../../strength/faults/fault.ts'
import { worldAround } from '../../strength/faults/world.ts'
import { runInputs, type Section } from './inputs.ts'

// suite.pull-request.test.ts shows that our gateway accepts every valid input, `npm run faults` what the part finds.

let planted: Plant = {}
const { gateway } = await ownGatewayTest()
const api = await changingProxyTest(gateway.url, () => planted.api)

/** Faults of the catalogue, the section that tests each, and the exact finding. */
const FOUND: readonly (readonly [fault: string, section: Section, found: string])[] = [
  ['last-of-two-secret-keys', 'keys', 'two secret-key headers, wrong and right, were answered 20'],
  ['comma-too-many-taken', 'json', 'sendFunds: JSON: a comma too many: is accepted'],
  ['boolean-as-text-taken', 'otherTypes', 'charge_customer written "true" is refused with 400 by the contract'],
]

test.each(FOUND)('finds %s', async (fault, section, found) => {
  planted = faultNamed(fault).plant(worldAround(() => gateway.url, 9))
  const options = { seed: 1_500, size: 'pull-request', log: () => undefined } as const
  const { findings } = await runInputs({ ...gateway, url: api.url }, options, [section])
  expect(findings.map(({ about, what }) => `${about}: ${what}`)).toEqual([expect.stringContaining(found)])
})

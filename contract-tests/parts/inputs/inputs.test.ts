import { expect, test } from 'vitest'
import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'
import type { ProxyOptions } from '../../harness/proxy.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { runInputs } from './inputs.ts'
import { PLANTED } from './testing/planted.ts'

let planted: Pick<ProxyOptions, 'onRequest' | 'onReply'> = {}
const { gateway } = await ownGatewayTest()
const api = await changingProxyTest(gateway.url, () => planted)
const target = { ...gateway, url: api.url }
const quietly = { size: 'pull-request', log: () => undefined } as const

// suite.pull-request.test.ts shows that our gateway accepts every valid input.

test.each(
  sampledByDefault(
    'wrong servers',
    PLANTED.map((row, index) => [...row, index] as const),
  ),
)('finds %s', { timeout: 60_000 }, async (_name, section, plant, found, index) => {
  planted = plant(gateway)
  const { findings } = await runInputs(target, { ...quietly, seed: 1_500 * (index + 1) }, [section])
  expect(findings.map(({ about }) => about).toSorted()).toEqual(found.map(([about]) => about).toSorted())
  for (const [about, what] of found)
    expect(findings).toContainEqual(expect.objectContaining({ about, what: expect.stringContaining(what) }))
})

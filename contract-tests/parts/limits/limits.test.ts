import { expect, test } from 'vitest'
import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { changingProxyTest } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { runLimits, type Section } from './limits.ts'
import { PLANTED, type Hooks, type PlantHooks } from './testing/planted.ts'

// suite.pull-request.test.ts shows that our gateway keeps all of them.

let planted: Hooks = {}
const receiverPort = await freePort()
const merchant = await changingProxyTest(`http://127.0.0.1:${receiverPort}`, () => planted.merchant)
const { gateway } = await ownGatewayTest({ receiverPort: Number(new URL(merchant.url).port) })
const api = await changingProxyTest(gateway.url, () => planted.api)
const target = {
  ...gateway,
  url: api.url,
  ...(gateway.receiver && { receiver: { ...gateway.receiver, port: receiverPort } }),
}

let run = 0
const findingsOf = async (sections: readonly Section[], fault?: PlantHooks) => {
  planted = fault?.(gateway) ?? {}
  run += 1
  const { findings } = await runLimits(
    target,
    { seed: run * 500, size: 'pull-request', log: () => undefined },
    sections,
  )
  return findings
}

test.each(sampledByDefault('wrong servers', PLANTED))(
  'finds %s',
  { timeout: 60_000 },
  async (_name, sections, fault, found) => {
    const findings = await findingsOf(sections, fault)
    expect(findings.map(({ about }) => about).toSorted()).toEqual(found.map(([about]) => about).toSorted())
    for (const [about, what] of found)
      expect(findings).toContainEqual(expect.objectContaining({ about, what: expect.stringContaining(what) }))
  },
)

test('reproduces a finding by one line, with unused references and numbers', async () => {
  const [, , fault] = PLANTED[0]!
  const findings = await findingsOf(['dailyLimits'], fault)
  // Daily limits of several providers are filled concurrently: which of them is reported first is random.
  const finding = findings.find(({ curl }) => /"amount":1000001,.*"msisdn":"2567/.test(curl ?? ''))
  expect(finding?.curl).toMatch(/^n=\$\(od [^;]*\); .*"amount":1000001,.*"msisdn":"2567\d\d'"\$\{n#\?{7}\}"'006"/)
  expect(finding?.curl).not.toContain(gateway.secretKey)
})

import { expect, test } from 'vitest'
import { changingProxyTest, withText, type Hooks } from '../../harness/testing/changing-proxy.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { REQUESTS, runOutgoing } from './outgoing.ts'

let planted: Hooks = {}

const { gateway } = await ownGatewayTest()
const api = await changingProxyTest(gateway.url, () => planted)

const refusesWithKeys: Hooks = {
  onReply: (reply, { path, headers }) =>
    path === '/admin' && headers['secret-key'] ? { ...reply, status: 403 } : reply,
}
const dropsUserName: Hooks = {
  onRequest: (request) => withText(request, (text) => text.replace(/(https:\/\/)[^/"]*@/, '$1')),
}

// suite.pull-request.test.ts shows that our own gateway has no finding; these faults are not in the catalogue.

test.each<[string, keyof typeof REQUESTS, Hooks, string]>([
  ['has a door for who has keys', 'hidden', refusesWithKeys, '/admin is answered 403'],
  ['drops a user name from an address', 'refused', dropsUserName, 'a redirect_url that leads elsewhere than it seems'],
])('reports a server once that %s', { timeout: 120_000 }, async (_name, requested, hooks, what) => {
  planted = hooks
  const { findings } = await runOutgoing({ ...gateway, url: api.url }, { seed: 1, size: 'pull-request' }, [
    REQUESTS[requested],
  ])
  expect(findings).toEqual([expect.objectContaining({ what: expect.stringContaining(what) as string })])
})

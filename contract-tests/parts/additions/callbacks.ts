import { passing } from '../../driver/clock.ts'
import type { Receiver } from '../../driver/merchant-server.ts'
import { callbackKind } from '../../rules/callback-kind.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { AdditionsFixture } from './additions-fixture.ts'

const URL_OF: Readonly<Record<string, string>> = {
  payoutBatchCallback: 'payoutCallback',
  payoutBatchHandshake: 'payoutHandshake',
}

/** Everything that ends has a callback, at the URL that is for it. */
export async function judgeCallbacks(fixture: AdditionsFixture, { messages }: Receiver): Promise<void> {
  const { target, ending, notJudged } = fixture
  const driver = fixture.driver('callbacks')
  const missing = () =>
    ending.filter(
      ({ webhook, reference }) =>
        !messages.some((message) => callbackKind(message.json) === webhook && message.reference === reference),
    )
  await passing(target.own, () => missing().length === 0)
  const callbacks = messages.filter(({ json }) => typeof fieldsOf(json).event === 'string')
  // Another server may send some of them nowhere: its account has a URL for each.
  const isSent = (kind: string): boolean =>
    target.own !== undefined || callbacks.some(({ json }) => callbackKind(json) === kind)
  for (const { webhook, reference } of ending) {
    const isMissing = missing().some((each) => each.reference === reference && each.webhook === webhook)
    const none = `no ${webhook} about ${reference} came, which has ended`
    if (isSent(webhook)) driver.hold(webhook, !isMissing, 'a callback arrives', none)
    else notJudged(`no ${webhook} came at all: point the account's URL at the receiver`)
  }
  for (const { json, webhook, path } of callbacks) {
    const kind = callbackKind(json)
    // Those of a second account have paths of their own.
    if (path.startsWith('/other/')) continue
    const what = `a ${kind} came to ${path}: that is not the URL for it`
    driver.hold(kind, webhook === (URL_OF[kind] ?? kind), 'a callback comes to its own URL', what)
  }
}

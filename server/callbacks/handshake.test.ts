import { expect, test } from 'vitest'
import { SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { startReceiver } from '../verification/testing/receiver.ts'
import { timeoutByHand } from './testing/sending.ts'
import { handshakeWith, sampleHandshakeSender } from './testing/sample-handshake.ts'

test('gives up a server that accepts the request and says nothing', async () => {
  const hanging = await forFile(startReceiver())
  hanging.answer('hang')
  const sender = await forFile(Promise.resolve(sampleHandshakeSender({ policy: SANDBOX_POLICY, timeoutMs: 60_000 })))
  const timeout = timeoutByHand()
  const delivery = sender.request(handshakeWith(hanging.url))
  await expect.poll(() => hanging.received).toHaveLength(1)
  timeout.pass()
  expect(await delivery).toEqual({ error: 'no reply within 60 s', durationMs: expect.any(Number) as number })
})

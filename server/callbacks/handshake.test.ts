import { expect, test } from 'vitest'
import { SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { startReceiver } from '../verification/testing/receiver.ts'
import { handshakeWith, sampleHandshakeSender } from './testing/sample-handshake.ts'

test('gives up a server that accepts the request and says nothing', async () => {
  const hanging = await forFile(startReceiver())
  hanging.answer('hang')
  const sender = await forFile(Promise.resolve(sampleHandshakeSender({ policy: SANDBOX_POLICY, timeoutMs: 300 })))
  const delivery = await sender.request(handshakeWith(hanging.url))
  expect(delivery).toEqual({ error: 'no reply within 0.3 s', durationMs: expect.any(Number) as number })
  expect(hanging.received).toHaveLength(1)
})

import { expect, test } from 'vitest'
import { readEvents, readHeaders } from './listen-filter.ts'

test.each([
  [undefined, ['transaction.completed', 'refund.failed', 'handshake']],
  ['transaction.completed', ['transaction.completed']],
  ['refund.*, handshake', ['refund.failed', 'handshake']],
])('--events %s', (text, wanted) => {
  const isWanted = readEvents(text)
  const events = ['transaction.completed', 'refund.failed'].filter((event) => isWanted({ kind: 'callback', event }))
  expect([...events, ...(isWanted({ kind: 'handshake', event: undefined }) ? ['handshake'] : [])]).toEqual(wanted)
})

test.each(['webhook-signature: v1,x', 'Content-Length: 0', 'X-Tenant', 'X-Tenant: a\r\nX-Other: b'])(
  '--header refuses %j',
  (line) => {
    expect(() => readHeaders([line])).toThrow(/--header/)
  },
)

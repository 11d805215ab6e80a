import { edited, type FaultRows } from './fault.ts'
import { handshakes, OK, readAs } from './rows.ts'

const { answered, lost } = handshakes

const HANDSHAKE = 'domain/handshake.ts'

export const handshakeRows: FaultRows = {
  'never-asked': lost('pays out without a handshake'),
  'rejection-ignored': answered(
    'pays out although the merchant rejected it',
    readAs(OK, (status) => status >= 400 && status < 500),
  ),
  'failure-taken-for-consent': answered(
    'pays out after a 5xx',
    readAs(OK, (status) => status >= 500),
  ),
  'asked-twice': answered('repeats an answered handshake', async (reply, message, { deliver }) => {
    if (reply.status === 200) await deliver(message)
    return reply
  }),
  'too-many-requests-taken-for-no': edited('treats 429 as a rejection of a payout', [
    HANDSHAKE,
    '[408, 425, 429]',
    '[408, 425]',
  ]),
  'handshake-second-wait-as-first': edited('waits 5 seconds before the second question again', [
    HANDSHAKE,
    '5 * SECOND, 30 * SECOND',
    '5 * SECOND, 5 * SECOND',
  ]),
  'handshake-once-too-few': edited('sends a handshake three times only', [HANDSHAKE, ', 120 * SECOND]', ']']),
  'handshake-of-three-seconds': edited('waits 3 seconds for the answer to a handshake', [
    HANDSHAKE,
    'const HANDSHAKE_TIMEOUT_MS = 5 * SECOND',
    'const HANDSHAKE_TIMEOUT_MS = 3 * SECOND',
  ]),
}

import { ALL, header, messageOf, refusal, withHeader } from './edit.ts'
import { edited, type FaultRows, type OperationId } from './fault.ts'
import { inReplies, inRequests } from './rows.ts'

const SECRET = ['listWalletBalances', 'sendFunds'] as const

/** The gateway gets the right key where `when` accepts the given one. */
const corrected = (
  does: string,
  at: readonly OperationId[],
  name: 'public-key' | 'secret-key',
  when: (given: string | undefined, right: string) => boolean,
) =>
  inRequests(does, at, (request, { publicKey, secretKey }) => {
    const right = name === 'public-key' ? publicKey : secretKey
    return when(header(request, name), right) ? withHeader(request, name, right) : request
  })
const given = (key: string | undefined): boolean => key !== undefined
const beginsRight = (key: string | undefined, right: string): boolean => key?.startsWith(right.slice(0, 4)) === true

export const keyRows: FaultRows = {
  'optional-key-unchecked': edited('takes any secret key where it is optional', [
    'http/key-checks.ts',
    'request.merchant !== undefined && (!request.withSecretKey || secretKeyMatches(headers, request.merchant))',
    'request.merchant !== undefined',
  ]),
  'public-key-not-checked': corrected('accepts any public-key', ALL, 'public-key', given),
  'secret-key-cut': corrected('compares only the beginning of secret-key', SECRET, 'secret-key', beginsRight),
  'secret-key-trimmed': edited('removes every kind of space around secret-key', [
    'http/key-checks.ts',
    "createHash('sha256').update(secretKey).digest()",
    "createHash('sha256').update(secretKey.trim()).digest()",
  ]),
  'www-authenticate-missing': inReplies('answers 401 without WWW-Authenticate', ALL, 401, (reply) =>
    withHeader(reply, 'www-authenticate', undefined),
  ),
  'given-key-repeated': inReplies('repeats a wrong secret-key in the message', SECRET, 401, (reply, request) =>
    refusal(reply, 401, `${messageOf(reply)}: ${header(request, 'secret-key') ?? 'none'}`),
  ),
}

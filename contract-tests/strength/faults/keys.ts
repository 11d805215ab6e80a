import { ALL, header, LOOKUPS, messageOf, refusal, replies, requests, success, withHeader, withStatus } from './edit.ts'
import { faultsOf } from './fault.ts'

const SECRET = ['listWalletBalances', 'sendFunds'] as const

export const keyFaults = faultsOf('keys', {
  'public-key-not-needed': {
    what: 'carries out requests without public-key',
    at: ALL,
    plant: ({ publicKey }) =>
      requests(ALL, (request) =>
        header(request, 'public-key') === undefined ? withHeader(request, 'public-key', publicKey) : request,
      ),
  },
  'public-key-not-checked': {
    what: 'takes any public-key for a good one',
    at: ALL,
    plant: ({ publicKey }) =>
      requests(ALL, (request) =>
        header(request, 'public-key') === undefined ? request : withHeader(request, 'public-key', publicKey),
      ),
  },
  'public-key-not-needed-for-verify': {
    what: 'shows transactions to anybody',
    at: ['verifyTransaction'],
    plant: ({ publicKey }) =>
      requests(['verifyTransaction'], (request) => withHeader(request, 'public-key', publicKey)),
  },
  'secret-key-not-needed': {
    what: 'carries out requests without secret-key',
    at: SECRET,
    plant: ({ secretKey }) =>
      requests(SECRET, (request) =>
        header(request, 'secret-key') === undefined ? withHeader(request, 'secret-key', secretKey) : request,
      ),
  },
  'secret-key-not-checked': {
    what: 'takes any secret-key for a good one',
    at: SECRET,
    plant: ({ secretKey }) =>
      requests(SECRET, (request) =>
        header(request, 'secret-key') === undefined ? request : withHeader(request, 'secret-key', secretKey),
      ),
  },
  'secret-key-ignored-for-payouts': {
    what: 'pays out without looking at secret-key',
    at: ['sendFunds'],
    plant: ({ secretKey }) => requests(['sendFunds'], (request) => withHeader(request, 'secret-key', secretKey)),
  },
  'secret-key-cut': {
    what: 'compares only the beginning of secret-key',
    at: SECRET,
    plant: ({ secretKey }) =>
      requests(SECRET, (request) =>
        header(request, 'secret-key')?.startsWith(secretKey.slice(0, 4))
          ? withHeader(request, 'secret-key', secretKey)
          : request,
      ),
  },
  'refused-keys-403': {
    what: 'answers 403 to wrong keys',
    at: ALL,
    plant: () => replies(ALL, 401, (reply) => withStatus(reply, 403)),
  },
  'refused-keys-400': {
    what: 'answers 400 to wrong keys',
    at: ALL,
    plant: () => replies(ALL, 401, (reply) => withStatus(reply, 400)),
  },
  'refused-keys-200': {
    what: 'answers 200 with nothing to wrong keys',
    at: ALL,
    plant: () => replies(ALL, 401, (reply) => success(reply, {})),
  },
  'www-authenticate-missing': {
    what: 'answers 401 without WWW-Authenticate',
    at: ALL,
    plant: () => replies(ALL, 401, (reply) => withHeader(reply, 'www-authenticate', undefined)),
  },
  'keys-checked-last': {
    what: 'tells what is wrong with a lookup before it looks at the keys',
    at: LOOKUPS,
    plant: ({ send, publicKey, secretKey }) =>
      replies(LOOKUPS, 401, async (reply, request) => {
        const known = await send(withHeader(withHeader(request, 'public-key', publicKey), 'secret-key', secretKey))
        return known.status >= 400 ? known : reply
      }),
  },
  'given-key-repeated': {
    what: 'repeats a wrong secret-key in the message',
    at: SECRET,
    plant: () =>
      replies(SECRET, 401, (reply, request) =>
        refusal(reply, 401, `${messageOf(reply)}: ${header(request, 'secret-key') ?? 'none'}`),
      ),
  },
})

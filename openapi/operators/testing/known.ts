import type { Operator } from '../operators.ts'

// Tables of what is known about the operators, written independently of the documents: these must contain all of it.

/** Method and path of every call that a rail makes. */
export const CALLS: Readonly<Record<Operator, readonly string[]>> = {
  'mtn-momo': [
    'POST /v1_0/apiuser',
    'GET /v1_0/apiuser/{apiUser}',
    'POST /v1_0/apiuser/{apiUser}/apikey',
    'POST /collection/token/',
    'POST /disbursement/token/',
    'POST /remittance/token/',
    'POST /collection/v1_0/requesttopay',
    'GET /collection/v1_0/requesttopay/{referenceId}',
    'POST /collection/v1_0/requesttopay/{referenceId}/deliverynotification',
    'POST /disbursement/v1_0/transfer',
    'GET /disbursement/v1_0/transfer/{referenceId}',
    'POST /disbursement/v1_0/refund',
    'GET /disbursement/v1_0/refund/{referenceId}',
    ...['account/balance', 'accountholder/{accountHolderIdType}/{accountHolderId}/active'].flatMap(ofEveryProduct),
    ...ofEveryProduct('accountholder/msisdn/{accountHolderId}/basicuserinfo'),
  ],
  daraja: [
    'GET /oauth/v1/generate',
    'POST /mpesa/stkpush/v1/processrequest',
    'POST /mpesa/stkpushquery/v1/query',
    'POST /mpesa/b2c/v3/paymentrequest',
    'POST /mpesa/transactionstatus/v1/query',
    'POST /pulltransactions/v1/query',
  ],
}

function ofEveryProduct(path: string): string[] {
  return ['collection', 'disbursement', 'remittance'].map((product) => `GET /${product}/v1_0/${path}`)
}

/** Name, method and address of every callback. */
export const CALLBACKS: Readonly<Record<Operator, readonly string[]>> = {
  'mtn-momo': ['requestToPay', 'transfer', 'refund'].flatMap((name) => [
    `${name}Callback PUT {$request.header.X-Callback-Url}`,
    `${name}Callback POST {$request.header.X-Callback-Url}`,
  ]),
  daraja: [
    'stkPushCallback POST {$request.body#/CallBackURL}',
    'payOutResult POST {$request.body#/ResultURL}',
    'payOutTimeOut POST {$request.body#/QueueTimeOutURL}',
    'transactionStatusResult POST {$request.body#/ResultURL}',
    'transactionStatusTimeOut POST {$request.body#/QueueTimeOutURL}',
  ],
}

/** Every code with which an operator refuses, or which it gives as a reason. */
export const ERROR_CODES: Readonly<Record<Operator, readonly string[]>> = {
  'mtn-momo': [
    'PAYEE_NOT_FOUND',
    'PAYER_NOT_FOUND',
    'NOT_ALLOWED',
    'NOT_ALLOWED_TARGET_ENVIRONMENT',
    'INVALID_CALLBACK_URL_HOST',
    'INVALID_CURRENCY',
    'SERVICE_UNAVAILABLE',
    'INTERNAL_PROCESSING_ERROR',
    'NOT_ENOUGH_FUNDS',
    'PAYER_LIMIT_REACHED',
    'PAYEE_NOT_ALLOWED_TO_RECEIVE',
    'PAYMENT_NOT_APPROVED',
    'RESOURCE_NOT_FOUND',
    'APPROVAL_REJECTED',
    'EXPIRED',
    'TRANSACTION_CANCELED',
    'RESOURCE_ALREADY_EXIST',
    'COULD_NOT_PERFORM_TRANSACTION',
    'LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED',
    'SENDER_ACCOUNT_NOT_ACTIVE',
    'AUTHORIZATION_SENDER_ACCOUNT_NOT_ACTIVE',
    'PAYEE_LIMIT_REACHED',
    'TARGET_AUTHORIZATION_ERROR',
    'ACCOUNTHOLDER_WITH_FRI_NOT_FOUND',
  ],
  daraja: [
    '400.008.01',
    '400.008.02',
    '400.002.02',
    '400.003.01',
    '401.002.01',
    '404.001.03',
    '404.001.01',
    '405.001',
    '500.001.1001',
    '500.002.1001',
    '500.003.02',
    '500.003.03',
    '500.003.1001',
  ],
}

/** The status of a refused submission, by MTN's code; a code without a status has an unknown one. */
export const MTN_STATUSES: readonly (readonly [number, string])[] = [
  [404, 'RESOURCE_NOT_FOUND'],
  [409, 'RESOURCE_ALREADY_EXIST'],
  [500, 'NOT_ALLOWED'],
  [500, 'NOT_ALLOWED_TARGET_ENVIRONMENT'],
  [500, 'INVALID_CALLBACK_URL_HOST'],
  [500, 'INVALID_CURRENCY'],
  [500, 'INTERNAL_PROCESSING_ERROR'],
  [503, 'SERVICE_UNAVAILABLE'],
]

/** The end codes of an STK push, and 4999 while it is pending. */
export const RESULT_CODES = '0 1 2 3 4 8 17 1001 1019 1025 9999 1032 1037 2001 2028 8006 SFC_IC0003 4999'.split(' ')

/** The end codes of a payout. */
export const PAYOUT_RESULT_CODES = '0 1 2 3 4 8 11 21 2001 2006 2028 2040 8006 SFC_IC0003'.split(' ')

/** The statuses that a status query can return, and whether each is final. */
export const TRANSACTION_STATUSES: Readonly<Record<string, boolean>> = {
  Initiated: false,
  Authorized: false,
  Completed: true,
  Cancelled: true,
  Declined: true,
  Expired: true,
  Failed: true,
}

/** The behaviour of each number, by the last two digits of 467331234xx; `other` is any other number. */
export const TEST_NUMBERS = {
  payer: {
    50: 'FAILED INTERNAL_PROCESSING_ERROR',
    51: 'FAILED APPROVAL_REJECTED',
    52: 'FAILED EXPIRED',
    53: 'FAILED EXPIRED',
    54: 'CREATED',
    55: 'refused PAYER_NOT_FOUND',
    56: 'refused PAYEE_NOT_ALLOWED_TO_RECEIVE',
    57: 'refused NOT_ALLOWED',
    58: 'refused NOT_ALLOWED_TARGET_ENVIRONMENT',
    59: 'refused INVALID_CALLBACK_URL_HOST',
    60: 'refused INVALID_CURRENCY',
    61: 'refused INTERNAL_PROCESSING_ERROR',
    62: 'refused SERVICE_UNAVAILABLE',
    63: 'refused COULD_NOT_PERFORM_TRANSACTION',
    other: 'SUCCESSFUL',
  },
  payee: {
    50: 'FAILED INTERNAL_PROCESSING_ERROR',
    51: 'FAILED APPROVAL_REJECTED',
    52: 'FAILED EXPIRED',
    53: 'FAILED EXPIRED',
    54: 'CREATED',
    55: 'refused NOT_ENOUGH_FUNDS',
    56: 'refused PAYER_LIMIT_REACHED',
    57: 'refused PAYEE_NOT_FOUND',
    58: 'refused NOT_ALLOWED',
    59: 'refused NOT_ALLOWED_TARGET_ENVIRONMENT',
    60: 'refused INVALID_CALLBACK_URL_HOST',
    61: 'refused INVALID_CURRENCY',
    62: 'refused INTERNAL_PROCESSING_ERROR',
    63: 'refused SERVICE_UNAVAILABLE',
    other: 'SUCCESSFUL',
  },
  holder: {
    50: 'refused RESOURCE_NOT_FOUND',
    51: 'not active',
    52: 'refused NOT_ALLOWED',
    53: 'refused NOT_ALLOWED_TARGET_ENVIRONMENT',
    54: 'refused INTERNAL_PROCESSING_ERROR',
    55: 'refused SERVICE_UNAVAILABLE',
    other: 'active',
  },
}

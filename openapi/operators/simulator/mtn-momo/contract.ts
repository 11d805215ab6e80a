import { readFileSync } from 'node:fs'
import { isObject } from '../../../reading/json.ts'
import type { components } from '../../../../generated/operators/mtn-momo.d.ts'

export type { operations } from '../../../../generated/operators/mtn-momo.d.ts'

type Schemas = components['schemas']
export type CollectionResult = Schemas['CollectionResult']
export type PayoutResult = Schemas['PayoutResult']

/** One of MTN's codes, from `x-error-codes`. */
interface ErrorCode {
  readonly code: string
  readonly httpStatus?: number
  readonly meaning: string
}

/** The sandbox's behaviour for a number, from `x-test-numbers`. */
export interface TestNumber {
  readonly side: 'payer' | 'payee' | 'holder'
  readonly number: string
  /** Of an accepted order. */
  readonly status?: string
  readonly reason?: string
  readonly pendingSecondsMin?: number
  readonly lastsSecondsMin?: number
  /** The code with which the call itself is refused. */
  readonly refused?: string
  readonly active?: boolean
}

interface MtnContract {
  readonly 'x-error-codes': readonly ErrorCode[]
  readonly 'x-test-numbers': readonly TestNumber[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** MTN's bundle. Its own tests check that it has its tables. */
export const CONTRACT = JSON.parse(
  readFileSync(new URL('../../../../generated/operators/mtn-momo.json', import.meta.url), 'utf8'),
) as MtnContract

export const PRODUCTS = ['collection', 'disbursement', 'remittance'] as const
export type Product = (typeof PRODUCTS)[number]

const isProduct = (text: string): text is Product => PRODUCTS.some((product) => product === text)

/** The product of an operation; provisioning belongs to none. */
export const PRODUCT_OF: ReadonlyMap<string, Product> = new Map(
  Object.entries(CONTRACT.paths).flatMap(([path, item]) => {
    const [, first = ''] = path.split('/')
    if (!isProduct(first)) return []
    return Object.values(item).flatMap((operation): [string, Product][] =>
      isObject(operation) && typeof operation.operationId === 'string' ? [[operation.operationId, first]] : [],
    )
  }),
)

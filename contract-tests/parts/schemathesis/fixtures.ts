import { mobileCollection } from '../../driver/bodies.ts'
import type { ApiCall } from './api-caller.ts'

/** Payments that exist on the gateway before it is tested. */
export interface Fixtures {
  readonly merchantReference: string
  /** Internal references of collections that wait for the OTP 123456 (numbers that end in 005). */
  readonly awaitingOtp: readonly string[]
}

const AWAITING = 6

export async function seedFixtures(request: ApiCall): Promise<Fixtures> {
  const collect = (msisdn: string) =>
    request<{ internal_reference: string; merchant_reference: string }>(
      'POST',
      '/collections/initialize',
      mobileCollection({ merchant_reference: 'auto', msisdn }),
    )
  const { merchant_reference } = await collect('256772000123')
  const awaiting = await Promise.all(Array.from({ length: AWAITING }, (_, index) => collect(`25677201${index}005`)))
  return {
    merchantReference: merchant_reference,
    awaitingOtp: awaiting.map(({ internal_reference }) => internal_reference),
  }
}

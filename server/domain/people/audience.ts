/** Who a listener is for; nobody else is served there. */
export type Audience = 'staff' | 'merchants'

/** The listener that serves a person. @param merchant_id null for staff */
export const audienceOf = ({ merchant_id: merchantId }: { readonly merchant_id: bigint | null }): Audience =>
  merchantId === null ? 'staff' : 'merchants'

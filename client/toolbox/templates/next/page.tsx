import { FAULTS, PRODUCT, providersOf } from '../shop/check-out.ts'
import { shopParts } from './parts.ts'

// The providers are fetched on every visit.
export const dynamic = 'force-dynamic'

type Query = Readonly<Record<string, string | string[] | undefined>>
const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** The page where customers order. The form works without a script. */
export default async function OrderPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const query = await searchParams
  const providers = await providersOf(shopParts().malipo)
  const price = `${PRODUCT.currency} ${PRODUCT.amount.toLocaleString('en')}`
  const fault =
    query.fault === 'phone'
      ? FAULTS.phone
      : query.fault === 'later' || providers.length === 0
        ? FAULTS.later
        : undefined
  return (
    <div className="card">
      <h1>{PRODUCT.name}</h1>
      <p className="price">{price}</p>
      {fault && (
        <p className="fault" role="alert" id="fault">
          {fault}
        </p>
      )}
      <form method="post" action="/pay">
        <label htmlFor="provider">Pay with</label>
        <select id="provider" name="provider" required defaultValue={one(query.provider)}>
          {providers.map(({ provider_code, provider_name }) => (
            <option key={provider_code} value={provider_code}>
              {provider_name}
            </option>
          ))}
        </select>
        <label htmlFor="phone">Phone number</label>
        <input
          id="phone"
          name="phone"
          type="tel"
          autoComplete="tel"
          inputMode="tel"
          required
          maxLength={20}
          placeholder="256772000123"
          defaultValue={one(query.phone)}
          aria-invalid={query.fault === 'phone' || undefined}
          aria-describedby={query.fault === 'phone' ? 'fault' : undefined}
        />
        <button>Pay {price}</button>
      </form>
      <p className="soft">
        You approve the payment on the next page. In the sandbox, try MTN Uganda with 256772000123.
      </p>
    </div>
  )
}

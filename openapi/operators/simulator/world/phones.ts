/** A text message to a customer. */
export interface PhoneMessage {
  readonly at: Date
  readonly text: string
}

/** The messages of the virtual phones; the prompts are the orders that wait. */
export interface Phones {
  send(msisdn: string, message: PhoneMessage): void
  /** Newest first. */
  messages(msisdn: string): readonly PhoneMessage[]
  /** Every number that ever received one. */
  numbers(): readonly string[]
}

/** More than anybody reads; the oldest are dropped. */
const MESSAGES_MAX = 100

export function createPhones(): Phones {
  const messages = new Map<string, PhoneMessage[]>()
  return {
    send(msisdn, message) {
      messages.set(msisdn, [message, ...(messages.get(msisdn) ?? [])].slice(0, MESSAGES_MAX))
    },
    messages: (msisdn) => messages.get(msisdn) ?? [],
    numbers: () => [...messages.keys()],
  }
}

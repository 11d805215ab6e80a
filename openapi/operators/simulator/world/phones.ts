/** A text that a customer got. */
export interface PhoneMessage {
  readonly at: Date
  readonly text: string
}

/** What has arrived at the virtual phones; the prompts are the orders that wait. */
export interface Phones {
  send(msisdn: string, message: PhoneMessage): void
  /** The newest first. */
  messages(msisdn: string): readonly PhoneMessage[]
  /** Every number that ever got something. */
  numbers(): readonly string[]
}

/** More than anybody reads; the oldest go. */
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

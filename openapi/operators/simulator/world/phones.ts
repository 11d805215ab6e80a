/** A text message to a customer. */
export interface PhoneMessage {
  readonly at: Date
  readonly text: string
}

/** The messages of the virtual phones; the prompts are the orders that wait. */
export type Phones = ReturnType<typeof createPhones>

/** More than anybody reads; the oldest are dropped. */
const MESSAGES_MAX = 100

export function createPhones() {
  const messages = new Map<string, PhoneMessage[]>()
  return {
    send(msisdn: string, message: PhoneMessage): void {
      messages.set(msisdn, [message, ...(messages.get(msisdn) ?? [])].slice(0, MESSAGES_MAX))
    },
    /** Newest first. */
    messages: (msisdn: string): readonly PhoneMessage[] => messages.get(msisdn) ?? [],
    /** Every number that ever received one. */
    numbers: (): readonly string[] => [...messages.keys()],
  }
}

import type { Order } from '../world/order.ts'

/** What scenarios may ask for that only Daraja does, with a sentence for each. */
export const QUIRKS = {
  without_prompt_rules: 'A push is not held back for the prompts that this phone had before: it asks once more.',
  code_as_text: 'ResultCode as a text in the callback or the result of this order.',
  queue_time_out:
    'QueueTimeOutURL hears of a payout or a status query after `value` milliseconds (1000); the result of a payout comes all the same.',
  result_lost: 'The result of a status query never comes.',
  throttled:
    'A push is turned away for the rate of calls: as `spike` (if absent) or `quota` by Daraja, `front_spike` or `front_quota` by the front before it, or as `busy`, which says nothing of a rate.',
} as const

export const isCodeText = ({ effects }: Order): boolean =>
  effects.some((effect) => effect.do === 'quirk' && effect.name === ('code_as_text' satisfies keyof typeof QUIRKS))

import type { Order } from '../world/order.ts'

/** Behaviours that scenarios may request of Daraja only, with a sentence for each. */
export const QUIRKS = {
  without_prompt_rules: 'A push ignores earlier prompts on this phone: it prompts again.',
  code_as_text: 'ResultCode as a text in the callback or the result of this order.',
  queue_time_out:
    'QueueTimeOutURL receives a message about a payout or a status query after `value` milliseconds (1000); the result of a payout comes all the same.',
  result_lost: 'The result of a status query, or of a question about balances, never comes.',
  throttled:
    'A push is rejected by the rate limit: as `spike` (if absent) or `quota` by Daraja, `front_spike` or `front_quota` by the proxy in front, or as `busy`, which does not mention a rate.',
} as const

export const isCodeText = ({ effects }: Order): boolean =>
  effects.some((effect) => effect.do === 'quirk' && effect.name === ('code_as_text' satisfies keyof typeof QUIRKS))

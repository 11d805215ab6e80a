import { POST, WEBHOOK, only, testEach } from './expected-change.ts'

testEach([
  only(
    'a signature that no longer comes with a callback is major',
    [[`${WEBHOOK} parameters 0`, undefined]],
    'major',
    'webhooks/order_callback.yaml#/post/parameters',
    /header parameter `signature` is gone/,
    'signature',
  ),
  only(
    'another header of a callback is minor, even one that always comes',
    [[`${WEBHOOK} parameters 1`, { name: 'id', in: 'header', required: true, schema: { type: 'string' } }]],
    'minor',
    'webhooks/order_callback.yaml#/post/parameters/1',
    /header parameter `id` is new/,
    'id',
  ),
  only(
    'an answer to callbacks that is no longer understood is major',
    [[`${WEBHOOK} responses 410`, undefined]],
    'major',
    'webhooks/order_callback.yaml#/post/responses/410',
    /status 410 is gone/,
    '410',
  ),
  only(
    'a callback that goes away is major',
    [['webhooks orderCallback', undefined]],
    'major',
    'webhooks/order_callback.yaml',
    /webhook `orderCallback` is gone/,
    'orderCallback',
  ),
  only(
    'a new callback is minor',
    [['webhooks refundCallback', { post: { operationId: 'refundCallback' } }]],
    'minor',
    'webhooks/refund_callback.yaml',
    /webhook `refundCallback` is new/,
    'refundCallback',
  ),
  only(
    'a redirect that goes away is major',
    [[`${POST} callbacks redirect`, undefined]],
    'major',
    'paths/orders.yaml#/post/callbacks/redirect',
    /callback `redirect` is gone/,
    'redirect',
  ),
])

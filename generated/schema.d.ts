// Written by `npm run generate` from openapi/, with openapi-typescript.

export interface paths {
    "/data/payment-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment providers
         *
         * Returns the providers that your account may use in one currency, for one type of transaction.
         *
         * Take `provider_code`, the limits and the phone prefixes from here; do not write them into your program. A currency without
         * providers gives an empty list, not an error.
         */
        get: operations["listPaymentProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data/payout-bank-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payout banks
         *
         * Returns the banks that a provider can pay out to. Take `bank_code` from here for `extra_params.bank_code` of a bank payout.
         *
         * A provider without bank payouts gives an empty list, not an error.
         */
        get: operations["listPayoutBanks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data/wallet-balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wallet balances
         *
         * Returns the wallets of your account: all of them, or those in one currency. Needs the secret key too.
         *
         * | balance | what it is |
         * |---|---|
         * | `available_balance` | what you can use now |
         * | `uncleared_balance` | collected, but not cleared yet by the provider |
         * | `reserve_balance` | kept back for a time as a reserve |
         * | `actual_balance` | the sum of the three |
         */
        get: operations["listWalletBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data/transaction/verify/{merchant_reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a transaction
         *
         * Returns a transaction by your own reference. References belong to the account of the public key: a reference of somebody else
         * gives the same 404 as one that does not exist.
         *
         * Ask here after a redirect, after a callback that you could not verify, or when you do not know whether a request arrived.
         */
        get: operations["verifyTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/initialize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Initialize a collection
         *
         * Starts a collection: money from a customer to you. The reply is an acknowledgement; the outcome comes later.
         *
         * | collection | you send | you get | the customer |
         * |---|---|---|---|
         * | mobile money | `msisdn` | references | approves on the phone |
         * | mobile money on the payment page | `msisdn`, `mobile_money_hpp: true`, `redirect_url` | references and `payment_url` | opens the page and approves there |
         * | bank | `redirect_url` | references and `payment_url` | opens the page and pays there |
         *
         * Some providers ask the customer for a one-time password. Then the collection stays PENDING, `Waiting for the one-time password`, until
         * you pass it to `collections.authorize`, whose reply carries the `payment_url` of such a collection. The reply
         * here is the one of the table, whether a password is asked for or not. The password is sent a moment after the reply.
         *
         * What customers can be bothered with is bounded per account number, over all merchants: approval prompts on the phone (over it:
         * 429 with `Retry-After`), one-time passwords and open payment pages. Of each bound one merchant has a share:
         * Times.
         *
         * When the collection is final, Malipo sends a callback and, if you gave a `redirect_url`,
         * sends the customer's browser there.
         */
        post: operations["initializeCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authorize a collection
         *
         * Submits the one-time password of a collection that waits for one.
         *
         * A password lives 5 minutes from when it was sent; of several the newest counts. After 5 wrong tries the collection fails. Wrong tries
         * also count per account number: after 30 within 24 hours over all merchants, or 15 of yours, no password is taken for that number,
         * the right one neither. A right one is refused with 429 while the number can get no approval prompt; it was no try then. In the
         * sandbox the password is `123456`.
         */
        post: operations["authorizeCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/send-funds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send funds
         *
         * Starts a payout: money from your payout wallet to a mobile money number or a bank account. Needs the secret key too.
         *
         * 1. Malipo accepts the payout (202). A payout without enough money in the wallet is accepted too, and fails then with
         *    `Insufficient balance for the transaction`.
         * 2. Malipo asks your verification URL whether the payout is yours. Answer 200, or any 2xx, to go on.
         * 3. The money is held, sent, and the outcome arrives by callback.
         *
         * When a request gets no answer, do not send it again with a new reference: send it again with the same `Idempotency-Key`, or ask
         * `transactions.verify`.
         */
        post: operations["sendFunds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a batch of payouts
         *
         * Starts up to 1,000 payouts at once. Each item is a payout as `payouts.send` takes it, with a reference, a
         * handshake and a callback of its own. A body may have 1 MiB here.
         *
         * A batch with any faulty item is refused whole: 400 lists every faulty item with its line, counted from 1, and no reference is used
         * up. So the same batch can be sent again once it is right, and sending it twice pays once: its references are used by then.
         *
         * When every payout is final, the batch callback follows; `payouts.getBatch` any time.
         * Bulk payouts shows it step by step.
         */
        post: operations["createPayoutBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/batches/{batch_reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask about a batch of payouts
         *
         * Returns a batch by your own reference: its sums per currency, and the state of each payout.
         */
        get: operations["getPayoutBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payout
         *
         * Cancels a payout that was not handed to its operator yet: one that waits for the handshake, for an approver, for money at the
         * operator, or while your account is suspended. It becomes `FAILED` with the message `Payout cancelled by the merchant` and the code
         * `merchant_cancelled`, its hold is released, and the callback follows.
         *
         * Of paying and cancelling exactly one happens. A payout that was handed over, or is final, is refused with 409, which names its state;
         * so is one that you have cancelled before, unless the request repeats the first one's `Idempotency-Key`. Works while your account is
         * suspended.
         */
        post: operations["cancelPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/expect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expect a payment that the customer starts
         *
         * Starts a collection that your customer pays on their own, from the menu of the phone or at an agent: to your account at the
         * operator (a paybill number), under a reference that they type. Needs the secret key too.
         *
         * The collection is PENDING until the operator confirms a payment with this reference and a fitting amount, and then COMPLETED
         * with what was paid: record, callback, `transactions.verify` and lists are those of every collection. If none
         * has come in time, it is FAILED with `Nobody paid it in time`. What does not fit is never credited by itself:
         * Payments that customers start says more.
         */
        post: operations["expectPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a collection
         *
         * Gives a completed collection back, or a part of it, always to the account that paid it. Needs the secret key too.
         *
         * Several partial refunds are possible, together at most the `request_amount` of the collection. The money comes from your
         * collection wallet and is held there meanwhile; without enough of it the refund is accepted too, and fails then with
         * `Insufficient balance for the transaction`. The outcome arrives by callback.
         *
         * When a request gets no answer, do not send it again with a new reference: send it again with the same `Idempotency-Key`, or
         * look the refund up by `collections.retrieveRefund`. Refunds says more.
         */
        post: operations["refundCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/refund/{merchant_reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a refund
         *
         * Returns a refund by your own reference of it. Needs the secret key too. References belong to the account of the public key: a
         * reference of somebody else gives the same 404 as one that does not exist. Refunds have references apart from payments:
         * `transactions.verify` does not find them.
         */
        get: operations["retrieveRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         *
         * Returns your collections, payouts and refunds, the newest first, each with the record of its own look-up. Needs the secret
         * key too.
         *
         * All parameters may be combined. A page looks at the newest 500 that its period has: where few of them fit, it has fewer
         * than `limit`, or none. Go on with `next` until there is none; nothing that is accepted meanwhile shifts a page.
         *
         * When `from` lies in a month that has been archived, the answer is 404 and names the last such month.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         *
         * Returns what your callbacks told, about collections, payouts, refunds and batches, in an order without gaps: for whoever has
         * missed some. Needs the secret key too. When a callback never came shows a program.
         *
         * Remember the `number` of the last event that you have handled, and send it as `after`. An event is listed within some
         * seconds of its outcome, also when your account has no callback URL, and whether its callback was acknowledged or not. Handle
         * each `webhook_id` once: the callback may have arrived, or may still come.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a statement
         *
         * Returns what moved in one of your wallets within a period, with the opening and the closing balance: opening balance and
         * entries add up to the closing balance, to the unit. Needs the secret key too.
         *
         * With `Accept: text/csv` the reply is a file of up to 100,000 entries; the envelope has up to 5,000. A period has at most 31
         * days. Entries are those booked in the period, whenever their transactions were accepted, and what payouts in flight hold is
         * still part of the wallet.
         *
         * When `from` lies in a month that has been archived, the answer is 404 and names the last such month; what it moved is part of
         * later opening balances.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data/account-holder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find an account holder
         *
         * Asks the operator whether a mobile money account exists, whether it is active, and for its holder's name, which you get
         * masked. Needs the secret key too. Who has this number says how to use it.
         *
         * An operator that does not tell gives `NOT_SUPPORTED`, not an error. You may ask for so many account holders in 24 hours
         * as the settings of Malipo say, and ten times for one number; an answer is repeated for an hour without asking again. Each
         * query is in the audit log of your account.
         */
        get: operations["findAccountHolder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data/predict-provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Predict the provider of a number
         *
         * Returns a number in the form that Malipo stores, its country, and which of your providers it probably has. The public key
         * is enough: then prefixes and numbering plans decide.
         *
         * With the secret key too, operators that tell who has an account are asked, so that a ported number gets its present
         * provider. Such queries count as those of `data.accountHolder`; when they are used up or
         * the operator does not answer, the prefix decides.
         */
        get: operations["predictProvider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    collectionCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Collection callback
         *
         * Malipo posts this to the collection callback URL of your account when a collection reaches COMPLETED, FAILED or CANCELLED.
         * `transaction.failed` covers FAILED and CANCELLED: `transaction_status` tells which.
         *
         * Any 2xx acknowledges. Otherwise Malipo tries again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. A callback can
         * arrive more than once and in any order: handle each `webhook-id` once. Verify `webhook-signature` before you believe a word;
         * Verifying callbacks shows how. The headers shown here sign the first example of the body.
         *
         * One that never came can be read later: My callback never came.
         */
        post: operations["collectionCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payoutCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Payout callback
         *
         * Malipo posts this to the payout callback URL of your account when a payout reaches COMPLETED or FAILED.
         *
         * Any 2xx acknowledges. Otherwise Malipo tries again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. A callback can
         * arrive more than once and in any order: handle each `webhook-id` once. Verify `webhook-signature` before you believe a word;
         * Verifying callbacks shows how. The headers shown here sign the first example of the body.
         *
         * One that never came can be read later: My callback never came.
         */
        post: operations["payoutCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payoutBatchHandshake: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Batch verification handshake
         *
         * Where one handshake per batch is switched on for your account, Malipo asks your verification URL once for all payouts of a
         * `payouts.batch`, and none of them has a handshake of its own. The reference is in the
         * body, and `webhook-signature` covers it with the number of payouts and their sum in each currency: compare them with your own records.
         *
         * | your answer | what happens |
         * |---|---|
         * | any 2xx | all payouts of the batch go on; those that wait for an approver when they are approved |
         * | 408, 425, 429, 3xx, 5xx, any other answer, none within 5 seconds | tried again after 5 seconds, 30 seconds and 2 minutes; then every payout fails: `The merchant's verification URL did not answer (HTTP 503)`, without a status where the last question got none |
         * | any other 4xx | every payout fails: `Payout rejected by the merchant's verification URL (HTTP 404)` |
         */
        post: operations["payoutBatchHandshake"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payoutBatchCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Batch callback
         *
         * Malipo posts this to the payout callback URL of your account when every payout of a `payouts.batch` is final.
         * Each payout has had its own callback by then, or still gets it. A payout that is paid late changes the
         * batch's sums afterwards, and is reported by its own callback alone.
         *
         * It is delivered and repeated as payout callbacks are, with `webhook-signature` only: verify that.
         */
        post: operations["payoutBatchCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    refundCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund callback
         *
         * Malipo posts this to the refund callback URL of your account when a refund reaches COMPLETED or FAILED.
         *
         * Any 2xx acknowledges. Otherwise Malipo tries again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. A callback can
         * arrive more than once and in any order: handle each `webhook-id` once. Verify `webhook-signature` before you believe a word;
         * Verifying callbacks shows how. The `webhook-signature` and the `hmac-signature` shown here
         * sign the first example of the body.
         *
         * One that never came can be read later: My callback never came.
         */
        post: operations["refundCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payoutHandshake: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payout verification handshake
         *
         * Before a payout proceeds, Malipo asks the verification URL of your account whether the payout is yours:
         * `GET <verification URL>?reference=<merchant_reference>`. The URL's own query string is kept.
         *
         * | your answer | what happens |
         * |---|---|
         * | any 2xx | the payout goes on |
         * | 408, 425, 429, 3xx, 5xx, any other answer, none within 5 seconds | tried again after 5 seconds, 30 seconds and 2 minutes; then the payout fails: `The merchant's verification URL did not answer (HTTP 503)`, without a status where the last question got none |
         * | any other 4xx | the payout fails: `Payout rejected by the merchant's verification URL (HTTP 404)` |
         *
         * The request has no body, so `webhook-signature` signs `<webhook-id>.<webhook-timestamp>.` (with the second full stop, and nothing after
         * it). The signature does not cover the reference. Look the reference up in your own records, and answer 200 only if you sent that
         * payout yourself.
         */
        get: operations["payoutHandshake"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
/**
 * Currency code of ISO 4217, three capital letters.
 * @example UGX
 */
export type Currency = string;
/**
 * Unique code of a provider, as `GET /data/payment-providers` lists it.
 * @example mtn_ug
 */
export type ProviderCode = string;
/**
 * How the money moves.
 * @example MOBILE_MONEY
 */
export type TransactionMethod = "MOBILE_MONEY" | "BANK";
/** A payment option of your account: one operator or bank network, one transaction type, one currency. */
export type Provider = {
    /**
     * Name of the provider.
     * @example MTN Uganda
     */
    provider_name: string;
    /**
     * Unique code of a provider, as `GET /data/payment-providers` lists it.
     * @example mtn_ug
     */
    provider_code: ProviderCode;
    /**
     * How the money moves.
     * @example MOBILE_MONEY
     */
    transaction_method: TransactionMethod;
    /**
     * Display name of the method.
     * @example Mobile Money
     */
    transaction_method_name: string;
    /**
     * Type of transaction, capitalised in replies. (The query filter takes upper case.)
     * @example Collection
     */
    transaction_type: "Collection" | "Payout";
    /** Currency in which the provider transacts. */
    transaction_currency: Currency;
    /**
     * Smallest amount of one transaction.
     * @example 500
     */
    min_amount: number;
    /**
     * Largest amount of one transaction.
     * @example 3000000
     */
    max_amount: number;
    /**
     * Largest total of one account number in any 24 hours. Everything counts that has not failed or been cancelled. What a customer pays without being asked counts too, and is taken even above this total: it has been paid.
     * @example 7000000
     */
    max_daily_amount: number;
    /**
     * Whether the provider takes transactions now. In live mode false for one that the gateway is not connected to, and for one whose operator does not answer at the moment: what is sent all the same is accepted and waits.
     * @example true
     */
    is_active: boolean;
    /**
     * Prefixes that valid phone numbers begin with, after the country code. For mobile money providers only. A provider whose numbers are ported may take others too: then they tell where a number is likely to belong.
     * @example [
     *   "77",
     *   "78",
     *   "76",
     *   "39"
     * ]
     */
    option_prefixes?: string[];
};
/** The providers that fit the query. */
export type PaymentProviderList = {
    /** Empty when no provider fits. */
    payment_providers: Provider[];
};
/** The envelope of a successful reply. */
export type PaymentProvidersReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Payment providers retrieved successfully
     */
    message: string;
    /** The providers that fit the query. */
    data: PaymentProviderList;
};
/**
 * What is wrong, in a word for programs. Others may come without a new version: then decide by `code`. Errors says what each means.
 * @example missing_field
 */
export type ErrorReason = string;
/**
 * Always the empty object.
 * @example {}
 */
export type EmptyData = Record<string, never>;
/** The envelope of every error. */
export type ErrorReply = {
    /**
     * The HTTP status, repeated.
     * @example 400
     */
    code: number;
    /**
     * Always `error`.
     * @example error
     */
    status: "error";
    /**
     * What is wrong, for people. When there are several faults, the first.
     * @example currency is required
     */
    message: string;
    /**
     * What is wrong, in a word for programs. Others may come without a new version: then decide by `code`. Errors says what each means.
     * @example missing_field
     */
    reason: ErrorReason;
    /**
     * Always the empty object.
     * @example {}
     */
    data: EmptyData;
};
/**
 * The `provider_code` of a provider that `GET /data/payment-providers` lists for you. Up to 64 printable characters pass the first check, so that a wrong code gets an answer that names it: 400 `Invalid provider code (<code>)`, with the reason when the provider exists but does not fit (inactive, not enabled for you, other transaction type or method).
 * @example mtn_ug
 */
export type RequestedProviderCode = string;
/**
 * Unique code of a bank, as `GET /data/payout-bank-codes` lists it.
 * @example access_bank_ng
 */
export type BankCode = string;
/** A bank that a provider can pay out to. */
export type PayoutBank = {
    /**
     * Name of the bank.
     * @example Access Bank
     */
    bank_name: string;
    /**
     * Unique code of a bank, as `GET /data/payout-bank-codes` lists it.
     * @example access_bank_ng
     */
    bank_code: BankCode;
    /**
     * Whether the bank takes payouts now.
     * @example true
     */
    is_active: boolean;
};
/** The banks that a provider can pay out to. */
export type PayoutBankList = {
    /** Empty when the provider has no bank payouts. */
    payout_banks: PayoutBank[];
};
/** The envelope of a successful reply. */
export type PayoutBanksReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Payout banks retrieved successfully
     */
    message: string;
    /** The banks that a provider can pay out to. */
    data: PayoutBankList;
};
/**
 * Balance of a wallet in the main unit of its currency. Never below zero.
 * @example 1250000
 */
export type Balance = number;
/** A wallet of your account. `actual_balance` is the sum of the other three balances. */
export type Wallet = {
    /** What you can use now. */
    available_balance: Balance;
    /** Available, uncleared and reserve together. */
    actual_balance: Balance;
    /** Collected, but not cleared yet by the provider. */
    uncleared_balance: Balance;
    /** Kept back for a time as a reserve. */
    reserve_balance: Balance;
    /** Currency of the wallet. */
    currency: Currency;
    /**
     * `MERCHANT_COLLECTION` receives collections, `MERCHANT_PAYOUT` pays payouts.
     * @example MERCHANT_COLLECTION
     */
    wallet_type: "MERCHANT_COLLECTION" | "MERCHANT_PAYOUT";
};
/** Wallets of your account. */
export type WalletList = {
    /** Only the wallets in the given currency, or all of them when no currency is given. */
    merchant_wallets: Wallet[];
};
/** The envelope of a successful reply. */
export type WalletBalancesReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Wallet balances retrieved successfully
     */
    message: string;
    /** Wallets of your account. */
    data: WalletList;
};
/**
 * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
 * @example ORDER-2026-0001
 */
export type MerchantReference = string;
/**
 * Numeric identifier of the transaction.
 * @example 1001
 */
export type TransactionId = number;
/**
 * Malipo's reference of the transaction: `MLP` and 22 characters of Crockford's base32. The first six tell the time, the other 16 (80 bits) come from a secure random source. Whoever knows the one of a collection may open its payment page, so treat it as a secret between you and the customer.
 * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
 */
export type InternalReference = string;
/**
 * Amount of money in the main unit of the currency (5000 is five thousand shillings). It may have as many decimals as ISO 4217 gives the currency, and no more: none for UGX, two for KES. It is read digit for digit, and zeros at its end are no decimals: `5000.00` is an amount in UGX, `5000.0000000001` is not.
 * @example 5000
 */
export type Amount = number;
/**
 * Amount of money in the main unit of the currency. Zero is possible.
 * @example 4950
 */
export type AmountOrZero = number;
/**
 * Name of the customer (collections) or recipient (payouts), in letters of any script, without control characters. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too.
 * @example Amina Nakato
 */
export type CustomerName = string;
/**
 * `PENDING` after acceptance, `PROCESSING` once the operator or bank has it; final: `COMPLETED`, `FAILED`, `CANCELLED`.
 * @example COMPLETED
 */
export type CollectionStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED";
/**
 * Text that describes the status, or the reason of the failure. For people; decide by `transaction_status`.
 * @example Transaction Completed Successfully
 */
export type StatusMessage = string;
/**
 * Why no money moved, for programs: one of `insufficient_funds`, `declined`, `expired`, `cancelled`, `limit_reached`, `account_not_found`, `account_blocked`, `not_allowed`, `handshake_unanswered`, `approval_refused`, `approval_expired`, `merchant_cancelled`, `no_float`, `operator_unreachable` and `operator_error`. Only with `FAILED` and `CANCELLED`, and absent when no code is known. Codes may be added: treat one that you do not know as if it were absent.
 * @example insufficient_funds
 */
export type FailureCode = string;
/** Record of a collection, money from a customer to you. */
export type CollectionTransaction = {
    /**
     * Numeric identifier of the transaction.
     * @example 1001
     */
    id: TransactionId;
    /** Your reference, or the one made for `auto`. */
    merchant_reference: MerchantReference;
    /** Malipo's reference. */
    internal_reference: InternalReference;
    /**
     * Always `COLLECTION`.
     * @example COLLECTION
     */
    transaction_type: "COLLECTION";
    /** Currency of the request. */
    request_currency: Currency;
    /** Amount of the request, in `request_currency`. */
    request_amount: Amount;
    /** Amount of the transaction, in `transaction_currency`. It differs from `request_amount` when a currency was converted. */
    transaction_amount: Amount;
    /** Currency of the provider. Charge and total are in it too. */
    transaction_currency: Currency;
    /** Charge, in `transaction_currency`. 0 when the transaction failed or was cancelled. */
    transaction_charge: AmountOrZero;
    /**
     * Phone or account number of the customer or recipient, digits only: a phone number with its country code. Empty while the customer has not named one yet (bank collections).
     * @example 256772000123
     */
    transaction_account: string;
    /**
     * Whether the customer bears the charge.
     * @example false
     */
    charge_customer: boolean;
    /**
     * Amount credited to your collection wallet once completed: the amount less the charge, or the whole amount when the customer bears the charge. 0 when the collection failed or was cancelled.
     * @example 4950
     */
    total_credit: number;
    /** Provider used. */
    provider_code: ProviderCode;
    /** Name of the customer or recipient, when the request gave one. */
    customer_name?: CustomerName;
    /**
     * Name of the customer's bank. For bank collections, once it is known.
     * @example Access Bank
     */
    institution_name?: string;
    /**
     * `PENDING` after acceptance, `PROCESSING` once the operator or bank has it; final: `COMPLETED`, `FAILED`, `CANCELLED`.
     * @example COMPLETED
     */
    transaction_status: CollectionStatus;
    /**
     * Text that describes the status, or the reason of the failure. For people; decide by `transaction_status`.
     * @example Transaction Completed Successfully
     */
    status_message: StatusMessage;
    /**
     * Why no money moved, for programs: one of `insufficient_funds`, `declined`, `expired`, `cancelled`, `limit_reached`, `account_not_found`, `account_blocked`, `not_allowed`, `handshake_unanswered`, `approval_refused`, `approval_expired`, `merchant_cancelled`, `no_float`, `operator_unreachable` and `operator_error`. Only with `FAILED` and `CANCELLED`, and absent when no code is known. Codes may be added: treat one that you do not know as if it were absent.
     * @example insufficient_funds
     */
    failure_code?: FailureCode;
};
/**
 * `PENDING` after acceptance, `PROCESSING` once the operator or bank has it; final: `COMPLETED`, `FAILED`.
 * @example COMPLETED
 */
export type PayoutStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
/** Record of a payout, money from your payout wallet to a recipient. */
export type PayoutTransaction = {
    /**
     * Numeric identifier of the transaction.
     * @example 1001
     */
    id: TransactionId;
    /** Your reference, or the one made for `auto`. */
    merchant_reference: MerchantReference;
    /** Malipo's reference. */
    internal_reference: InternalReference;
    /**
     * Always `PAYOUT`.
     * @example PAYOUT
     */
    transaction_type: "PAYOUT";
    /** Currency of the request. */
    request_currency: Currency;
    /** Amount of the request, in `request_currency`. */
    request_amount: Amount;
    /** Amount of the transaction, in `transaction_currency`. It differs from `request_amount` when a currency was converted. */
    transaction_amount: Amount;
    /** Currency of the provider. Charge and total are in it too. */
    transaction_currency: Currency;
    /** Charge, in `transaction_currency`. 0 when the transaction failed or was cancelled. */
    transaction_charge: AmountOrZero;
    /**
     * Phone or bank account number of the recipient, digits only: a phone number with its country code.
     * @example 256772000123
     */
    transaction_account: string;
    /**
     * Whether the customer bears the charge. In a payout the merchant always does.
     * @example false
     */
    charge_customer: false;
    /**
     * Amount debited from your payout wallet: the amount and the charge. 0 when the payout failed.
     * @example 20100
     */
    total_debit: number;
    /** Provider used. */
    provider_code: ProviderCode;
    /** Name of the recipient. */
    customer_name: CustomerName;
    /**
     * `PENDING` after acceptance, `PROCESSING` once the operator or bank has it; final: `COMPLETED`, `FAILED`.
     * @example COMPLETED
     */
    transaction_status: PayoutStatus;
    /**
     * Text that describes the status, or the reason of the failure. For people; decide by `transaction_status`.
     * @example Transaction Completed Successfully
     */
    status_message: StatusMessage;
    /**
     * Why no money moved, for programs: one of `insufficient_funds`, `declined`, `expired`, `cancelled`, `limit_reached`, `account_not_found`, `account_blocked`, `not_allowed`, `handshake_unanswered`, `approval_refused`, `approval_expired`, `merchant_cancelled`, `no_float`, `operator_unreachable` and `operator_error`. Only with `FAILED` and `CANCELLED`, and absent when no code is known. Codes may be added: treat one that you do not know as if it were absent.
     * @example insufficient_funds
     */
    failure_code?: FailureCode;
};
/** Record of a transaction. Verify returns it as `data`; callbacks deliver the same record as `payload`. */
export type Transaction = CollectionTransaction | PayoutTransaction;
/** The envelope of a successful reply. */
export type TransactionReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Transaction retrieved successfully
     */
    message: string;
    /** Record of a transaction. Verify returns it as `data`; callbacks deliver the same record as `payload`. */
    data: Transaction;
};
/**
 * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409. The literal `auto` makes Malipo generate a reference (`MREF` and 16 characters), which the reply carries.
 * @example ORDER-2026-0001
 */
export type MerchantReferenceOrAuto = string;
/**
 * Mobile money number: country code first, digits only, as in `256772000123`. A leading `+`, blanks and hyphens are dropped, and a number as it is dialled in the provider's country, such as `0772000123`, is completed with the country code. `transaction_account` tells the result; limits and `Idempotency-Key` go by it, so two spellings are one account and one request. It must be a possible number of the provider's country and begin, after the country code, with one of the provider's `option_prefixes`, unless the provider takes numbers that were ported to it. Otherwise the reply is 400 `<number> is not a valid <provider name> (<provider_code>) phone number`; for what is no possible number of the country it goes on with what to send. Up to 32 printable characters pass the first check, so that this answer can name the number as you wrote it.
 * @example 256772000123
 */
export type Msisdn = string;
/**
 * What the payment is for, 10 to 30 characters of any script without control characters, not all of them blanks. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too. The customer or recipient may see it.
 * @example Order 2026-0001
 */
export type TransactionDescription = string;
/**
 * E-mail address of the customer.
 * @example amina@customer.example
 */
export type CustomerEmail = string;
/**
 * Where the customer's browser goes once the collection is final, with the outcome in the query string. Its own query string is kept. HTTPS is required in live mode; in sandbox mode plain HTTP is allowed for loopback addresses (`127.0.0.1`, `[::1]`, `localhost`) only. It carries no user name and no password. It is written as RFC 3986 has it, and the name of the host may have letters of any alphabet (`https://café.example/paid` is `https://xn--caf-dma.example/paid`). An account may have a list of hosts; then the URL must lead to one of them.
 * @example https://shop.example/orders/2026-0002/paid
 */
export type RedirectUrl = string;
/** A collection by mobile money. The customer approves it on the phone, or on the payment page when `mobile_money_hpp` is true. An empty text or `null` in an optional field counts as if the field were not there; in a required one as if it were missing. */
export type MobileMoneyCollectionRequest = PhoneCollectionRequest | HostedCollectionRequest;
/** A collection by bank. The reply carries a `payment_url`; the customer finishes the payment there. An empty text or `null` in an optional field counts as if the field were not there; in a required one as if it were missing. */
export type BankCollectionRequest = {
    /**
     * Always `BANK`.
     * @example BANK
     */
    transaction_method: "BANK";
    /**
     * The `provider_code` of a provider that `GET /data/payment-providers` lists for you. Up to 64 printable characters pass the first check, so that a wrong code gets an answer that names it: 400 `Invalid provider code (<code>)`, with the reason when the provider exists but does not fit (inactive, not enabled for you, other transaction type or method).
     * @example mtn_ug
     */
    provider_code: RequestedProviderCode;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409. The literal `auto` makes Malipo generate a reference (`MREF` and 16 characters), which the reply carries.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReferenceOrAuto;
    /**
     * Has no effect for bank collections.
     * @example 2348030000123
     */
    msisdn?: string;
    /**
     * Has no effect for bank collections, which always use the payment page.
     * @default false
     * @example false
     */
    mobile_money_hpp?: boolean;
    /** Currency of the amount. It may differ from the provider's when an exchange rate is configured. */
    currency: Currency;
    /** Amount to collect, within the provider's limits and with no more decimals than the currency has. */
    amount: Amount;
    /**
     * What the payment is for, 10 to 30 characters of any script without control characters, not all of them blanks. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too. The customer or recipient may see it.
     * @example Order 2026-0001
     */
    description: TransactionDescription;
    /** Customer's name. */
    customer_name?: CustomerName;
    /**
     * E-mail address of the customer.
     * @example amina@customer.example
     */
    customer_email?: CustomerEmail;
    /**
     * Where the customer's browser goes once the collection is final, with the outcome in the query string. Its own query string is kept. HTTPS is required in live mode; in sandbox mode plain HTTP is allowed for loopback addresses (`127.0.0.1`, `[::1]`, `localhost`) only. It carries no user name and no password. It is written as RFC 3986 has it, and the name of the host may have letters of any alphabet (`https://café.example/paid` is `https://xn--caf-dma.example/paid`). An account may have a list of hosts; then the URL must lead to one of them.
     * @example https://shop.example/orders/2026-0002/paid
     */
    redirect_url: RedirectUrl;
    /**
     * Card data. Accepted and thrown away at once, never stored or logged. No provider takes cards yet.
     * @example bm90LWEtcmVhbC1jYXJk
     */
    card_cipher?: string;
    /**
     * Who bears the charge. `false`, you do; `true`, the customer pays it on top of the amount.
     * @default false
     * @example false
     */
    charge_customer?: boolean;
    /**
     * Whether a late result may turn FAILED into COMPLETED within 72 hours. The wallet is corrected and a second callback is sent.
     * @default true
     * @example true
     */
    allow_final_status_change?: boolean;
};
/** A collection by mobile money or by bank; `transaction_method` tells which. A field that only the other of the two uses may be there and has no effect. */
export type CollectionRequest = MobileMoneyCollectionRequest | BankCollectionRequest;
/**
 * Address of the payment page of this collection. Load it in the customer's browser. The page lives 30 minutes. Shape: `{payment_page_base}/pay/collection/<internal_reference>`.
 * @example http://127.0.0.1:8080/pay/collection/MLP5Z6JER35TNMSJ3MSQFT7X6
 */
export type PaymentUrl = string;
/** The references of an accepted collection. */
export type CollectionAcknowledgement = {
    /**
     * Malipo's reference of the transaction: `MLP` and 22 characters of Crockford's base32. The first six tell the time, the other 16 (80 bits) come from a secure random source. Whoever knows the one of a collection may open its payment page, so treat it as a secret between you and the customer.
     * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
     */
    internal_reference: InternalReference;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReference;
    /**
     * Address of the payment page of this collection. Load it in the customer's browser. The page lives 30 minutes. Shape: `{payment_page_base}/pay/collection/<internal_reference>`.
     * @example http://127.0.0.1:8080/pay/collection/MLP5Z6JER35TNMSJ3MSQFT7X6
     */
    payment_url?: PaymentUrl;
};
/** The envelope of a successful reply. */
export type CollectionAcceptedReply = {
    /**
     * The HTTP status, repeated.
     * @example 202
     */
    code: 202;
    /**
     * Outcome of the request.
     * @example accepted
     */
    status: "accepted";
    /**
     * Text for people.
     * @example Collection accepted
     */
    message: string;
    /** The references of an accepted collection. */
    data: CollectionAcknowledgement;
};
/**
 * `transaction.completed` for COMPLETED; `transaction.failed` for FAILED and CANCELLED (`transaction_status` tells which).
 * @example transaction.completed
 */
export type TransactionEvent = "transaction.completed" | "transaction.failed";
/**
 * A final status of a collection.
 * @example COMPLETED
 */
export type FinalCollectionStatus = "COMPLETED" | "FAILED" | "CANCELLED";
/** Names the key that made the RSA signature beside it. The public key is served at `/.well-known/malipo-rsa/{rsa_key_id}.pem`, also after a newer key has taken over. For a key that was withdrawn the answer is 410: trust nothing that it signed. The id is the beginning of the SHA-256 of that public key (DER), so a key never has two ids. */
export type RsaKeyId = string;
/** Base64 of the RSA signature (PKCS#1 v1.5, SHA-256, 2048 bits by default) over `event:merchant_reference:internal_reference:transaction_type:transaction_status`. The public key is served at `/.well-known/malipo-rsa/{rsa_key_id}.pem`; the key id comes beside the signature. */
export type RsaSignature = string;
/** `t=<epoch milliseconds>,s=<64 hex digits>`. The digest is HMAC-SHA256 with your signing key over `event:merchant_reference:internal_reference:transaction_type:transaction_status`. While it is being rotated the old signing key signs until it ends, then the new one. */
export type HmacSignature = string;
/** The one-time password of a collection that waits for one. An empty text or `null` in a field counts as if it were missing. */
export type AuthorizeCollectionRequest = {
    /**
     * Malipo's reference of the transaction: `MLP` and 22 characters of Crockford's base32. The first six tell the time, the other 16 (80 bits) come from a secure random source. Whoever knows the one of a collection may open its payment page, so treat it as a secret between you and the customer.
     * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
     */
    internal_reference: InternalReference;
    /**
     * The one-time password, at least 4 digits. Those that Malipo makes have 6 digits and never start with 0. It lives 5 minutes; after 5 wrong tries the collection fails.
     * @example 123456
     */
    otp: number;
};
/** The references of a collection whose one-time password was accepted. */
export type CollectionAuthorization = {
    /**
     * Malipo's reference of the transaction: `MLP` and 22 characters of Crockford's base32. The first six tell the time, the other 16 (80 bits) come from a secure random source. Whoever knows the one of a collection may open its payment page, so treat it as a secret between you and the customer.
     * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
     */
    internal_reference: InternalReference;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReference;
    /**
     * Address of the payment page of this collection. Load it in the customer's browser. The page lives 30 minutes. Shape: `{payment_page_base}/pay/collection/<internal_reference>`.
     * @example http://127.0.0.1:8080/pay/collection/MLP5Z6JER35TNMSJ3MSQFT7X6
     */
    payment_url: PaymentUrl;
};
/** The envelope of a successful reply. */
export type CollectionAuthorizedReply = {
    /**
     * The HTTP status, repeated.
     * @example 202
     */
    code: 202;
    /**
     * Outcome of the request.
     * @example accepted
     */
    status: "accepted";
    /**
     * Text for people.
     * @example One-time password accepted
     */
    message: string;
    /** The references of a collection whose one-time password was accepted. */
    data: CollectionAuthorization;
};
/** A payout to a mobile money number. An empty text or `null` in an optional field counts as if the field were not there, and so does an optional object without a value in it; in a required one as if it were missing. */
export type MobileMoneyPayoutRequest = {
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReference;
    /**
     * Always `MOBILE_MONEY`.
     * @example MOBILE_MONEY
     */
    transaction_method: "MOBILE_MONEY";
    /** Currency of the amount. It may differ from the provider's when an exchange rate is configured. */
    currency: Currency;
    /** Amount to pay out, within the provider's limits and with no more decimals than the currency has. */
    amount: Amount;
    /**
     * The `provider_code` of a provider that `GET /data/payment-providers` lists for you. Up to 64 printable characters pass the first check, so that a wrong code gets an answer that names it: 400 `Invalid provider code (<code>)`, with the reason when the provider exists but does not fit (inactive, not enabled for you, other transaction type or method).
     * @example mtn_ug
     */
    provider_code: RequestedProviderCode;
    /**
     * Mobile money number: country code first, digits only, as in `256772000123`. A leading `+`, blanks and hyphens are dropped, and a number as it is dialled in the provider's country, such as `0772000123`, is completed with the country code. `transaction_account` tells the result; limits and `Idempotency-Key` go by it, so two spellings are one account and one request. It must be a possible number of the provider's country and begin, after the country code, with one of the provider's `option_prefixes`, unless the provider takes numbers that were ported to it. Otherwise the reply is 400 `<number> is not a valid <provider name> (<provider_code>) phone number`; for what is no possible number of the country it goes on with what to send. Up to 32 printable characters pass the first check, so that this answer can name the number as you wrote it.
     * @example 256772000123
     */
    account_number: Msisdn;
    /** Recipient's name. */
    customer_name: CustomerName;
    /**
     * What the payment is for, 10 to 30 characters of any script without control characters, not all of them blanks. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too. The customer or recipient may see it.
     * @example Order 2026-0001
     */
    description: TransactionDescription;
    /** Has no effect for mobile money payouts. An empty text or `null` in one of its fields counts as if the field were not there. */
    extra_params?: {
        /**
         * Has no effect for mobile money payouts.
         * @example access_bank_ng
         */
        bank_code?: string;
        /**
         * Has no effect for mobile money payouts.
         * @example 044-150149
         */
        branch_code?: string;
    };
};
/**
 * Number of the recipient's bank account, digits only.
 * @example 0690000031
 */
export type BankAccountNumber = string;
/** The bank that holds the recipient's account. An empty text or `null` in an optional field counts as if the field were not there; in a required one as if it were missing. */
export type BankPayoutExtraParams = {
    /**
     * Unique code of a bank, as `GET /data/payout-bank-codes` lists it.
     * @example access_bank_ng
     */
    bank_code: BankCode;
    /**
     * Code of the branch. Optional; passed on to the bank.
     * @example 044-150149
     */
    branch_code?: string;
};
/** A payout to a bank account. An empty text or `null` in an optional field counts as if the field were not there; in a required one as if it were missing. */
export type BankPayoutRequest = {
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReference;
    /**
     * Always `BANK`.
     * @example BANK
     */
    transaction_method: "BANK";
    /** Currency of the amount. It may differ from the provider's when an exchange rate is configured. */
    currency: Currency;
    /** Amount to pay out, within the provider's limits and with no more decimals than the currency has. */
    amount: Amount;
    /**
     * The `provider_code` of a provider that `GET /data/payment-providers` lists for you. Up to 64 printable characters pass the first check, so that a wrong code gets an answer that names it: 400 `Invalid provider code (<code>)`, with the reason when the provider exists but does not fit (inactive, not enabled for you, other transaction type or method).
     * @example mtn_ug
     */
    provider_code: RequestedProviderCode;
    /**
     * Number of the recipient's bank account, digits only.
     * @example 0690000031
     */
    account_number: BankAccountNumber;
    /** Recipient's name. */
    customer_name: CustomerName;
    /**
     * What the payment is for, 10 to 30 characters of any script without control characters, not all of them blanks. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too. The customer or recipient may see it.
     * @example Order 2026-0001
     */
    description: TransactionDescription;
    /** The bank that holds the recipient's account. An empty text or `null` in an optional field counts as if the field were not there; in a required one as if it were missing. */
    extra_params: BankPayoutExtraParams;
};
/** A payout to a mobile money number or to a bank account; `transaction_method` tells which. A field that only the other of the two uses may be there and has no effect. */
export type PayoutRequest = MobileMoneyPayoutRequest | BankPayoutRequest;
/** The references of an accepted payout. */
export type PayoutAcknowledgement = {
    /**
     * Malipo's reference of the transaction: `MLP` and 22 characters of Crockford's base32. The first six tell the time, the other 16 (80 bits) come from a secure random source. Whoever knows the one of a collection may open its payment page, so treat it as a secret between you and the customer.
     * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
     */
    internal_reference: InternalReference;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReference;
};
/** The envelope of a successful reply. */
export type PayoutAcceptedReply = {
    /**
     * The HTTP status, repeated.
     * @example 202
     */
    code: 202;
    /**
     * Outcome of the request.
     * @example accepted
     */
    status: "accepted";
    /**
     * Text for people.
     * @example Payout accepted
     */
    message: string;
    /** The references of an accepted payout. */
    data: PayoutAcknowledgement;
};
/**
 * Your own reference of the batch. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once, apart from the references of payments.
 * @example SALARIES-2026-03
 */
export type BatchReference = string;
/** Up to 1,000 payouts, accepted together or not at all. An empty text or `null` in a field counts as if it were missing. */
export type PayoutBatchRequest = {
    /**
     * Your own reference of the batch. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once, apart from the references of payments.
     * @example SALARIES-2026-03
     */
    batch_reference: BatchReference;
    /** The payouts. An item's line is its place, counted from 1. */
    payouts: PayoutRequest[];
};
/**
 * How many payouts.
 * @example 2
 */
export type PayoutCount = number;
/** The reference of an accepted batch. */
export type PayoutBatchAcknowledgement = {
    /**
     * Your own reference of the batch. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once, apart from the references of payments.
     * @example SALARIES-2026-03
     */
    batch_reference: BatchReference;
    /**
     * How many payouts.
     * @example 2
     */
    payouts: PayoutCount;
};
/** The envelope of a successful reply. */
export type PayoutBatchAcceptedReply = {
    /**
     * The HTTP status, repeated.
     * @example 202
     */
    code: 202;
    /**
     * Outcome of the request.
     * @example accepted
     */
    status: "accepted";
    /**
     * Text for people.
     * @example Batch accepted
     */
    message: string;
    /** The reference of an accepted batch. */
    data: PayoutBatchAcknowledgement;
};
/**
 * The place of a payout in its batch, counted from 1; in a file its line.
 * @example 2
 */
export type BatchLine = number;
/** Why a payout cannot be accepted. */
export type PayoutBatchError = {
    /**
     * The place of a payout in its batch, counted from 1; in a file its line.
     * @example 2
     */
    line: BatchLine;
    /**
     * What is wrong, in the words of send-funds.
     * @example account_number is required
     */
    message: string;
};
/** The faulty payouts of a batch; empty when the request itself is faulty. */
export type PayoutBatchErrors = {
    /** One for each faulty payout, in their order. */
    errors?: PayoutBatchError[];
};
/** The envelope of a refused batch. It lists the faulty payouts, unless the request itself is faulty. */
export type PayoutBatchErrorReply = {
    /**
     * The HTTP status, repeated.
     * @example 400
     */
    code: number;
    /**
     * Always `error`.
     * @example error
     */
    status: "error";
    /**
     * What is wrong, for people.
     * @example 1 of 2 payouts is faulty
     */
    message: string;
    /**
     * What is wrong, in a word for programs. Others may come without a new version: then decide by `code`. Errors says what each means.
     * @example missing_field
     */
    reason: ErrorReason;
    /** The faulty payouts of a batch; empty when the request itself is faulty. */
    data: PayoutBatchErrors;
};
/**
 * `COMPLETED` when every payout is final, whether it was paid or failed; `PROCESSING` before.
 * @example COMPLETED
 */
export type BatchStatus = "PROCESSING" | "COMPLETED";
/**
 * The sum of the amounts in the main unit of the currency, without charges.
 * @example 45000
 */
export type BatchAmount = number;
/** The payouts of a batch in one currency. */
export type BatchTotal = {
    /** Currency of these payouts. */
    currency: Currency;
    /**
     * How many payouts.
     * @example 2
     */
    payouts: PayoutCount;
    /**
     * The sum of the amounts in the main unit of the currency, without charges.
     * @example 45000
     */
    amount: BatchAmount;
    /** How many of them are `COMPLETED`. */
    completed: PayoutCount;
    /** How many of them are `FAILED`. */
    failed: PayoutCount;
};
/** One for each currency. */
export type BatchTotals = BatchTotal[];
/** The state of a payout of a batch. Verify returns all of it. */
export type BatchPayout = {
    /**
     * The place of a payout in its batch, counted from 1; in a file its line.
     * @example 2
     */
    line: BatchLine;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReference;
    /**
     * Malipo's reference of the transaction: `MLP` and 22 characters of Crockford's base32. The first six tell the time, the other 16 (80 bits) come from a secure random source. Whoever knows the one of a collection may open its payment page, so treat it as a secret between you and the customer.
     * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
     */
    internal_reference: InternalReference;
    /**
     * `PENDING` after acceptance, `PROCESSING` once the operator or bank has it; final: `COMPLETED`, `FAILED`.
     * @example COMPLETED
     */
    transaction_status: PayoutStatus;
    /**
     * Text that describes the status, or the reason of the failure. For people; decide by `transaction_status`.
     * @example Transaction Completed Successfully
     */
    status_message: StatusMessage;
    /**
     * Why no money moved, for programs: one of `insufficient_funds`, `declined`, `expired`, `cancelled`, `limit_reached`, `account_not_found`, `account_blocked`, `not_allowed`, `handshake_unanswered`, `approval_refused`, `approval_expired`, `merchant_cancelled`, `no_float`, `operator_unreachable` and `operator_error`. Only with `FAILED` and `CANCELLED`, and absent when no code is known. Codes may be added: treat one that you do not know as if it were absent.
     * @example insufficient_funds
     */
    failure_code?: FailureCode;
};
/** A batch with its sums, and the state of each payout. */
export type PayoutBatch = {
    /**
     * Your own reference of the batch. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once, apart from the references of payments.
     * @example SALARIES-2026-03
     */
    batch_reference: BatchReference;
    /**
     * `COMPLETED` when every payout is final, whether it was paid or failed; `PROCESSING` before.
     * @example COMPLETED
     */
    batch_status: BatchStatus;
    /** One for each currency. */
    totals: BatchTotals;
    /** In the order of their lines. */
    payouts: BatchPayout[];
};
/** The envelope of a successful reply. */
export type PayoutBatchReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Batch retrieved
     */
    message: string;
    /** A batch with its sums, and the state of each payout. */
    data: PayoutBatch;
};
/** The payout to cancel. An empty text or `null` in a field counts as if it were missing. */
export type CancelPayoutRequest = {
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReference;
};
/** A payment that a customer is to start. An empty text or `null` in an optional field counts as if the field were not there; in a required one as if it were missing. */
export type ExpectedPaymentRequest = {
    /**
     * The `provider_code` of a provider that `GET /data/payment-providers` lists for you. Up to 64 printable characters pass the first check, so that a wrong code gets an answer that names it: 400 `Invalid provider code (<code>)`, with the reason when the provider exists but does not fit (inactive, not enabled for you, other transaction type or method).
     * @example mtn_ug
     */
    provider_code: RequestedProviderCode;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409. The literal `auto` makes Malipo generate a reference (`MREF` and 16 characters), which the reply carries.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReferenceOrAuto;
    /**
     * What the customer types: 3 to 39 characters, letters and digits (20 at most) with single blanks or hyphens between; `auto` makes Malipo draw one: eight symbols that are not mistaken for others, the last of which checks the others. Case, blanks and hyphens do not count. No other payment that is expected at the same account has it at the same time.
     * @example INV-2026-1
     */
    customer_reference: string;
    /** Currency of the amount, which is the provider's. */
    currency: Currency;
    /** The exact amount that is to be paid, within the provider's limits. Absent: any amount from `min_amount` to `max_amount`, which have no effect beside it. */
    amount?: Amount;
    /** The least amount, where it is free. Without it, the provider's. */
    min_amount?: Amount;
    /** The highest amount, where it is free. Without it, the provider's. */
    max_amount?: Amount;
    /**
     * For how many seconds the payment is expected, up to 30 days.
     * @default 86400
     * @example 86400
     */
    expires_in?: number;
    /**
     * What the payment is for, 10 to 30 characters of any script without control characters, not all of them blanks. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too. The customer or recipient may see it.
     * @example Order 2026-0001
     */
    description: TransactionDescription;
    /** Customer's name. */
    customer_name?: CustomerName;
    /**
     * E-mail address of the customer.
     * @example amina@customer.example
     */
    customer_email?: CustomerEmail;
};
/** The references of a payment that is expected, and until when. */
export type ExpectedPayment = {
    /**
     * Malipo's reference of the transaction: `MLP` and 22 characters of Crockford's base32. The first six tell the time, the other 16 (80 bits) come from a secure random source. Whoever knows the one of a collection may open its payment page, so treat it as a secret between you and the customer.
     * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
     */
    internal_reference: InternalReference;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReference;
    /**
     * What the customer types, in upper case and without blanks and hyphens.
     * @example INV20261
     */
    customer_reference: string;
    /**
     * A time in UTC. A payment that is confirmed later is not credited by itself.
     * @example 2026-11-28T08:30:00.000Z
     */
    expires_at: string;
};
/** The envelope of a successful reply. */
export type ExpectedPaymentReply = {
    /**
     * The HTTP status, repeated.
     * @example 202
     */
    code: 202;
    /**
     * Outcome of the request.
     * @example accepted
     */
    status: "accepted";
    /**
     * Text for people.
     * @example Payment expected
     */
    message: string;
    /** The references of a payment that is expected, and until when. */
    data: ExpectedPayment;
};
/**
 * Amount to refund, in the `request_currency` of the collection and with no more decimals than it has. Absent: all that is left.
 * @example 2000
 */
export type RefundAmount = number;
/**
 * Why money goes back, 1 to 100 characters of any script without control characters. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too.
 * @example One of two items returned
 */
export type RefundReason = string;
/** A refund of a completed collection, or of a part of it. An empty text or `null` in an optional field counts as if the field were not there; in a required one as if it were missing. */
export type RefundRequest = {
    /** Your own reference of the refund. It is unique among your refunds; a payment may have the same. */
    merchant_reference: MerchantReference;
    /** The collection to refund, by your reference of it or by Malipo's. */
    collection_reference: MerchantReference;
    /**
     * Amount to refund, in the `request_currency` of the collection and with no more decimals than it has. Absent: all that is left.
     * @example 2000
     */
    amount?: RefundAmount;
    /**
     * Why money goes back, 1 to 100 characters of any script without control characters. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too.
     * @example One of two items returned
     */
    reason: RefundReason;
};
/** The references of an accepted refund. */
export type RefundAcknowledgement = {
    /**
     * Malipo's reference of the transaction: `MLP` and 22 characters of Crockford's base32. The first six tell the time, the other 16 (80 bits) come from a secure random source. Whoever knows the one of a collection may open its payment page, so treat it as a secret between you and the customer.
     * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
     */
    internal_reference: InternalReference;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReference;
};
/** The envelope of a successful reply. */
export type RefundAcceptedReply = {
    /**
     * The HTTP status, repeated.
     * @example 202
     */
    code: 202;
    /**
     * Outcome of the request.
     * @example accepted
     */
    status: "accepted";
    /**
     * Text for people.
     * @example Refund accepted
     */
    message: string;
    /** The references of an accepted refund. */
    data: RefundAcknowledgement;
};
/** Record of a refund, money of a collection that goes back to the account that paid it. */
export type Refund = {
    /**
     * Numeric identifier of the transaction.
     * @example 1001
     */
    id: TransactionId;
    /** Your reference of the refund. */
    merchant_reference: MerchantReference;
    /** Malipo's reference. */
    internal_reference: InternalReference;
    /**
     * Always `REFUND`.
     * @example REFUND
     */
    transaction_type: "REFUND";
    /** Currency of the request. */
    request_currency: Currency;
    /** Amount of the refund, in the `request_currency` of the collection. */
    request_amount: Amount;
    /** Amount of the refund, in `transaction_currency`: converted at the collection's own rate. The last refund of a collection takes the rest exactly. */
    transaction_amount: Amount;
    /** Currency of the provider. Charge and total are in it too. */
    transaction_currency: Currency;
    /** Your reference of the refunded collection. */
    collection_merchant_reference: MerchantReference;
    /** Malipo's reference of the refunded collection. */
    collection_internal_reference: InternalReference;
    /**
     * Phone or bank account number that gets the money, digits only: always the one that paid the collection.
     * @example 256772000123
     */
    transaction_account: string;
    /** Provider of the collection. */
    provider_code: ProviderCode;
    /**
     * How the money goes back: `REFUND` by the operator's own refund, `PAYOUT` by a payout to the account that paid, where your account allows that.
     * @example REFUND
     */
    refund_method: "REFUND" | "PAYOUT";
    /** The part of Malipo's charge that goes back too, in `transaction_currency`; 0 unless the provider's rule says so, and when the refund failed. */
    charge_refunded: AmountOrZero;
    /**
     * Amount debited from your collection wallet. 0 when the refund failed.
     * @example 2000
     */
    total_debit: number;
    /**
     * Why money goes back, 1 to 100 characters of any script without control characters. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too.
     * @example One of two items returned
     */
    reason: RefundReason;
    /**
     * `PENDING` after acceptance, `PROCESSING` once the operator or bank has it; final: `COMPLETED`, `FAILED`.
     * @example COMPLETED
     */
    transaction_status: PayoutStatus;
    /**
     * Text that describes the status, or the reason of the failure. For people; decide by `transaction_status`.
     * @example Transaction Completed Successfully
     */
    status_message: StatusMessage;
    /**
     * Why no money moved, for programs: one of `insufficient_funds`, `declined`, `expired`, `cancelled`, `limit_reached`, `account_not_found`, `account_blocked`, `not_allowed`, `handshake_unanswered`, `approval_refused`, `approval_expired`, `merchant_cancelled`, `no_float`, `operator_unreachable` and `operator_error`. Only with `FAILED` and `CANCELLED`, and absent when no code is known. Codes may be added: treat one that you do not know as if it were absent.
     * @example insufficient_funds
     */
    failure_code?: FailureCode;
};
/** The envelope of a successful reply. */
export type RefundReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Refund retrieved successfully
     */
    message: string;
    /** Record of a refund, money of a collection that goes back to the account that paid it. */
    data: Refund;
};
/**
 * A time in UTC, to the second or the millisecond.
 * @example 2026-11-27T00:00:00Z
 */
export type PointInTime = string;
/** Record of a collection, a payout or a refund, as the look-up of each returns it. */
export type ListedTransaction = CollectionTransaction | PayoutTransaction | Refund;
/** Some of your transactions, the newest first. */
export type TransactionPage = {
    /** A page may have fewer than `limit`, or none, although others follow. */
    transactions: ListedTransaction[];
    /**
     * Send it as `after` to get the next page. Absent on the last one.
     * @example 5187432100880384
     */
    next?: string;
};
/** The envelope of a successful reply. */
export type TransactionPageReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Transactions retrieved successfully
     */
    message: string;
    /** Some of your transactions, the newest first. */
    data: TransactionPage;
};
/** Identifier of this message. It stays the same over retries, so remember it to handle a message once. */
export type WebhookId = string;
/** Unix time of this attempt in seconds. Refuse messages that are more than 5 minutes old or ahead. */
export type WebhookTimestamp = string;
/** `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, keyed with your webhook secret ([Standard Webhooks](https://www.standardwebhooks.com)). While a secret is being rotated there are two, separated by a space: accept the message when one of them fits. */
export type WebhookSignature = string;
/** A callback as it was sent, signed anew. Verify it as the receiver of your callbacks does. */
export type ListedEvent = {
    /**
     * Its place among your events: 1, 2, 3 and so on without gaps. A new event never gets a number below one that you have seen.
     * @example 813
     */
    number: number;
    /**
     * The `webhook-id` of its callback. No two events have the same.
     * @example cb_STYVP2A5K7TYV9682EVRG1XD08
     */
    webhook_id: WebhookId;
    /**
     * Unix time of this reply in seconds.
     * @example 1795168708
     */
    webhook_timestamp: WebhookTimestamp;
    /** `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, keyed with your webhook secret ([Standard Webhooks](https://www.standardwebhooks.com)). While a secret is being rotated there are two, separated by a space: accept the message when one of them fits. */
    webhook_signature: WebhookSignature;
    /**
     * The body of its callback, byte for byte, with `event` and `payload`.
     * @example {"event":"transaction.completed","payload":{}}
     */
    body: string;
};
/** Your events in the order of their numbers. */
export type EventPage = {
    /** Empty when there is none after `after` yet. */
    events: ListedEvent[];
};
/** The envelope of a successful reply. */
export type EventPageReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Events retrieved successfully
     */
    message: string;
    /** Your events in the order of their numbers. */
    data: EventPage;
};
/**
 * An amount in the main unit of the currency; below zero when it left the wallet.
 * @example 4950
 */
export type SignedAmount = number;
/** What one transfer moved in the wallet. */
export type StatementEntry = {
    /** When it was booked. */
    booked_at: PointInTime;
    /**
     * What moved the money. Others may come without a new version.
     * @example collection
     */
    kind: string;
    /**
     * An amount in the main unit of the currency; below zero when it left the wallet.
     * @example 4950
     */
    amount: SignedAmount;
    /** What the wallet held after it. */
    balance: Balance;
    /** Your reference of the transaction, when it is one. */
    merchant_reference?: MerchantReference;
    /** Amount of the transaction. */
    transaction_amount?: Amount;
    /** Charge of the transaction. */
    transaction_charge?: AmountOrZero;
    /**
     * Reference of a movement between your bank and your wallets.
     * @example BANK-2026-0004
     */
    reference?: string;
};
/** A wallet in a period: opening balance and entries add up to the closing balance, to the unit. What payouts and refunds in flight hold is still part of it. */
export type Statement = {
    /**
     * Which wallet.
     * @example MERCHANT_COLLECTION
     */
    wallet_type: "MERCHANT_COLLECTION" | "MERCHANT_PAYOUT";
    /** Currency of the wallet, and of every amount here. */
    currency: Currency;
    /** Beginning of the period. */
    from: PointInTime;
    /** End of the period. */
    to: PointInTime;
    /** What the wallet held at the beginning. */
    opening_balance: Balance;
    /** What the wallet held at the end. */
    closing_balance: Balance;
    /** In the order of booking. */
    entries: StatementEntry[];
};
/** The envelope of a successful reply. */
export type StatementReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Statement retrieved successfully
     */
    message: string;
    /** A wallet in a period: opening balance and entries add up to the closing balance, to the unit. What payouts and refunds in flight hold is still part of it. */
    data: Statement;
};
/** CSV of RFC 4180 with a line of names, the opening balance, an entry a line, and the closing balance. A text that a spreadsheet would execute as a formula has an apostrophe before it. */
export type StatementFile = string;
/**
 * The number with its country code, digits only.
 * @example 256772000123
 */
export type StoredMsisdn = string;
/** An account at an operator, as the operator tells of it. */
export type AccountHolder = {
    /**
     * Unique code of a provider, as `GET /data/payment-providers` lists it.
     * @example mtn_ug
     */
    provider_code: ProviderCode;
    /**
     * The number with its country code, digits only.
     * @example 256772000123
     */
    msisdn: StoredMsisdn;
    /**
     * `ACTIVE`: it can pay and be paid. `INACTIVE`: it exists and cannot now. `NOT_FOUND`: the number has no account at this operator. `NOT_SUPPORTED`: this operator does not tell; nothing is known.
     * @example ACTIVE
     */
    account_status: "ACTIVE" | "INACTIVE" | "NOT_FOUND" | "NOT_SUPPORTED";
    /**
     * The first letter of each word of the operator's name of the holder, up to four. Absent when the operator gives none: Malipo never makes one up.
     * @example J*** D**
     */
    masked_name?: string;
    /** When the operator said so. You get its answer again for an hour. Absent when it does not tell. */
    checked_at?: PointInTime;
};
/** The envelope of a successful reply. */
export type AccountHolderReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Account holder retrieved successfully
     */
    message: string;
    /** An account at an operator, as the operator tells of it. */
    data: AccountHolder;
};
/**
 * Country code of ISO 3166-1, two capital letters.
 * @example UG
 */
export type Country = string;
/** A phone number, and the provider that it probably has. */
export type PredictedProvider = {
    /**
     * The number with its country code, digits only.
     * @example 256772000123
     */
    msisdn: StoredMsisdn;
    /** Country of the number. Absent when several countries share its code and it could be of any. */
    country?: Country;
    /** Absent when none of your providers takes the number, or several do and nothing tells which. */
    provider_code?: ProviderCode;
    /**
     * Name of the provider.
     * @example MTN Uganda
     */
    provider_name?: string;
    /**
     * How sure it is. `OPERATOR`: the operator says that the number has an active account there. `PREFIX`: the number begins as those of the provider do; it may have been ported. `NUMBERING_PLAN`: only the country is known, and the provider is named if it is the only one of yours there.
     * @example PREFIX
     */
    source: "OPERATOR" | "PREFIX" | "NUMBERING_PLAN";
};
/** The envelope of a successful reply. */
export type PredictedProviderReply = {
    /**
     * The HTTP status, repeated.
     * @example 200
     */
    code: 200;
    /**
     * Outcome of the request.
     * @example success
     */
    status: "success";
    /**
     * Text for people.
     * @example Provider predicted successfully
     */
    message: string;
    /** A phone number, and the provider that it probably has. */
    data: PredictedProvider;
};
/** A collection that has completed. */
export type CompletedCollection = CollectionTransaction & {
    /**
     * The final status.
     */
    transaction_status: "COMPLETED";
};
/** A collection has completed. */
export type CollectionCompletedCallback = {
    /**
     * Always `transaction.completed`.
     * @example transaction.completed
     */
    event: "transaction.completed";
    /** A collection that has completed. */
    payload: CompletedCollection;
};
/** A collection that has failed or was cancelled. Charge and total are 0. */
export type FailedCollection = CollectionTransaction & {
    /**
     * The final status.
     */
    transaction_status: "FAILED" | "CANCELLED";
};
/** A collection has failed or was cancelled. */
export type CollectionFailedCallback = {
    /**
     * Always `transaction.failed`.
     * @example transaction.failed
     */
    event: "transaction.failed";
    /** A collection that has failed or was cancelled. Charge and total are 0. */
    payload: FailedCollection;
};
/** The final outcome of a collection; `event` tells which. */
export type CollectionCallback = CollectionCompletedCallback | CollectionFailedCallback;
/** A payout that has completed. */
export type CompletedPayout = PayoutTransaction & {
    /**
     * The final status.
     */
    transaction_status: "COMPLETED";
};
/** A payout has completed. */
export type PayoutCompletedCallback = {
    /**
     * Always `transaction.completed`.
     * @example transaction.completed
     */
    event: "transaction.completed";
    /** A payout that has completed. */
    payload: CompletedPayout;
};
/** A payout that has failed. Charge and total are 0. */
export type FailedPayout = PayoutTransaction & {
    /**
     * The final status.
     */
    transaction_status: "FAILED";
};
/** A payout has failed. */
export type PayoutFailedCallback = {
    /**
     * Always `transaction.failed`.
     * @example transaction.failed
     */
    event: "transaction.failed";
    /** A payout that has failed. Charge and total are 0. */
    payload: FailedPayout;
};
/** The final outcome of a payout; `event` tells which. */
export type PayoutCallback = PayoutCompletedCallback | PayoutFailedCallback;
/** The payouts of a batch in one currency. */
export type BatchSum = {
    /** Currency of these payouts. */
    currency: Currency;
    /**
     * How many payouts.
     * @example 2
     */
    payouts: PayoutCount;
    /**
     * The sum of the amounts in the main unit of the currency, without charges.
     * @example 45000
     */
    amount: BatchAmount;
};
/** A batch as it was accepted. */
export type PayoutBatchToVerify = {
    /**
     * Your own reference of the batch. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once, apart from the references of payments.
     * @example SALARIES-2026-03
     */
    batch_reference: BatchReference;
    /**
     * How many payouts.
     * @example 2
     */
    payouts: PayoutCount;
    /** One for each currency. */
    totals: BatchSum[];
};
/** A question about a whole batch. */
export type PayoutBatchHandshake = {
    /**
     * Always `payout_batch.verification`.
     * @example payout_batch.verification
     */
    event: "payout_batch.verification";
    /** A batch as it was accepted. */
    payload: PayoutBatchToVerify;
};
/** A batch with its sums. */
export type PayoutBatchSummary = {
    /**
     * Your own reference of the batch. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once, apart from the references of payments.
     * @example SALARIES-2026-03
     */
    batch_reference: BatchReference;
    /**
     * Always `COMPLETED`.
     * @example COMPLETED
     */
    batch_status: "COMPLETED";
    /** One for each currency. */
    totals: BatchTotals;
};
/** Every payout of a batch is final. */
export type PayoutBatchCallback = {
    /**
     * Always `payout_batch.completed`.
     * @example payout_batch.completed
     */
    event: "payout_batch.completed";
    /** A batch with its sums. */
    payload: PayoutBatchSummary;
};
/** A refund that has completed. */
export type CompletedRefund = Refund & {
    /**
     * The final status.
     */
    transaction_status: "COMPLETED";
};
/** A refund has completed. */
export type RefundCompletedCallback = {
    /**
     * Always `refund.completed`.
     * @example refund.completed
     */
    event: "refund.completed";
    /** A refund that has completed. */
    payload: CompletedRefund;
};
/** A refund that has failed. Charge and total are 0. */
export type FailedRefund = Refund & {
    /**
     * The final status.
     */
    transaction_status: "FAILED";
};
/** A refund has failed. */
export type RefundFailedCallback = {
    /**
     * Always `refund.failed`.
     * @example refund.failed
     */
    event: "refund.failed";
    /** A refund that has failed. Charge and total are 0. */
    payload: FailedRefund;
};
/** The final outcome of a refund; `event` tells which. */
export type RefundCallback = RefundCompletedCallback | RefundFailedCallback;
/** A collection by mobile money that the customer approves on the phone. */
export type PhoneCollectionRequest = {
    /**
     * Always `MOBILE_MONEY`.
     * @example MOBILE_MONEY
     */
    transaction_method: "MOBILE_MONEY";
    /**
     * The `provider_code` of a provider that `GET /data/payment-providers` lists for you. Up to 64 printable characters pass the first check, so that a wrong code gets an answer that names it: 400 `Invalid provider code (<code>)`, with the reason when the provider exists but does not fit (inactive, not enabled for you, other transaction type or method).
     * @example mtn_ug
     */
    provider_code: RequestedProviderCode;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409. The literal `auto` makes Malipo generate a reference (`MREF` and 16 characters), which the reply carries.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReferenceOrAuto;
    /**
     * Mobile money number: country code first, digits only, as in `256772000123`. A leading `+`, blanks and hyphens are dropped, and a number as it is dialled in the provider's country, such as `0772000123`, is completed with the country code. `transaction_account` tells the result; limits and `Idempotency-Key` go by it, so two spellings are one account and one request. It must be a possible number of the provider's country and begin, after the country code, with one of the provider's `option_prefixes`, unless the provider takes numbers that were ported to it. Otherwise the reply is 400 `<number> is not a valid <provider name> (<provider_code>) phone number`; for what is no possible number of the country it goes on with what to send. Up to 32 printable characters pass the first check, so that this answer can name the number as you wrote it.
     * @example 256772000123
     */
    msisdn: Msisdn;
    /**
     * `true`: the reply carries a `payment_url`, and the customer approves on that page. `redirect_url` is required then (400 `redirect_url is required`).
     * @example false
     */
    mobile_money_hpp?: false;
    /** Currency of the amount. It may differ from the provider's when an exchange rate is configured. */
    currency: Currency;
    /** Amount to collect, within the provider's limits and with no more decimals than the currency has. */
    amount: Amount;
    /**
     * What the payment is for, 10 to 30 characters of any script without control characters, not all of them blanks. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too. The customer or recipient may see it.
     * @example Order 2026-0001
     */
    description: TransactionDescription;
    /** Customer's name. */
    customer_name?: CustomerName;
    /**
     * E-mail address of the customer.
     * @example amina@customer.example
     */
    customer_email?: CustomerEmail;
    /**
     * Where the customer's browser goes once the collection is final, with the outcome in the query string. Its own query string is kept. HTTPS is required in live mode; in sandbox mode plain HTTP is allowed for loopback addresses (`127.0.0.1`, `[::1]`, `localhost`) only. It carries no user name and no password. It is written as RFC 3986 has it, and the name of the host may have letters of any alphabet (`https://café.example/paid` is `https://xn--caf-dma.example/paid`). An account may have a list of hosts; then the URL must lead to one of them.
     * @example https://shop.example/orders/2026-0002/paid
     */
    redirect_url?: RedirectUrl;
    /**
     * Card data. Accepted and thrown away at once, never stored or logged. No provider takes cards yet.
     * @example bm90LWEtcmVhbC1jYXJk
     */
    card_cipher?: string;
    /**
     * Who bears the charge. `false`, you do; `true`, the customer pays it on top of the amount, rounded up so that the sum has no smaller unit than the operator moves.
     * @default false
     * @example false
     */
    charge_customer?: boolean;
    /**
     * Whether a late result may turn FAILED into COMPLETED within 72 hours. The wallet is corrected and a second callback is sent.
     * @default true
     * @example true
     */
    allow_final_status_change?: boolean;
};
/** A collection by mobile money that the customer approves on the payment page. The reply carries its `payment_url`. */
export type HostedCollectionRequest = {
    /**
     * Always `MOBILE_MONEY`.
     * @example MOBILE_MONEY
     */
    transaction_method: "MOBILE_MONEY";
    /**
     * The `provider_code` of a provider that `GET /data/payment-providers` lists for you. Up to 64 printable characters pass the first check, so that a wrong code gets an answer that names it: 400 `Invalid provider code (<code>)`, with the reason when the provider exists but does not fit (inactive, not enabled for you, other transaction type or method).
     * @example mtn_ug
     */
    provider_code: RequestedProviderCode;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409. The literal `auto` makes Malipo generate a reference (`MREF` and 16 characters), which the reply carries.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReferenceOrAuto;
    /**
     * Mobile money number: country code first, digits only, as in `256772000123`. A leading `+`, blanks and hyphens are dropped, and a number as it is dialled in the provider's country, such as `0772000123`, is completed with the country code. `transaction_account` tells the result; limits and `Idempotency-Key` go by it, so two spellings are one account and one request. It must be a possible number of the provider's country and begin, after the country code, with one of the provider's `option_prefixes`, unless the provider takes numbers that were ported to it. Otherwise the reply is 400 `<number> is not a valid <provider name> (<provider_code>) phone number`; for what is no possible number of the country it goes on with what to send. Up to 32 printable characters pass the first check, so that this answer can name the number as you wrote it.
     * @example 256772000123
     */
    msisdn: Msisdn;
    /**
     * `true`: the reply carries a `payment_url`, and the customer approves on that page. `redirect_url` is required then (400 `redirect_url is required`).
     * @example true
     */
    mobile_money_hpp: true;
    /** Currency of the amount. It may differ from the provider's when an exchange rate is configured. */
    currency: Currency;
    /** Amount to collect, within the provider's limits and with no more decimals than the currency has. */
    amount: Amount;
    /**
     * What the payment is for, 10 to 30 characters of any script without control characters, not all of them blanks. Those that turn the direction of a text (U+202A to U+202E, U+2066 to U+2069) are control characters, too. The customer or recipient may see it.
     * @example Order 2026-0001
     */
    description: TransactionDescription;
    /** Customer's name. */
    customer_name?: CustomerName;
    /**
     * E-mail address of the customer.
     * @example amina@customer.example
     */
    customer_email?: CustomerEmail;
    /**
     * Where the customer's browser goes once the collection is final, with the outcome in the query string. Its own query string is kept. HTTPS is required in live mode; in sandbox mode plain HTTP is allowed for loopback addresses (`127.0.0.1`, `[::1]`, `localhost`) only. It carries no user name and no password. It is written as RFC 3986 has it, and the name of the host may have letters of any alphabet (`https://café.example/paid` is `https://xn--caf-dma.example/paid`). An account may have a list of hosts; then the URL must lead to one of them.
     * @example https://shop.example/orders/2026-0002/paid
     */
    redirect_url: RedirectUrl;
    /**
     * Card data. Accepted and thrown away at once, never stored or logged. No provider takes cards yet.
     * @example bm90LWEtcmVhbC1jYXJk
     */
    card_cipher?: string;
    /**
     * Who bears the charge. `false`, you do; `true`, the customer pays it on top of the amount, rounded up so that the sum has no smaller unit than the operator moves.
     * @default false
     * @example false
     */
    charge_customer?: boolean;
    /**
     * Whether a late result may turn FAILED into COMPLETED within 72 hours. The wallet is corrected and a second callback is sent.
     * @default true
     * @example true
     */
    allow_final_status_change?: boolean;
};
/** The references of an accepted collection, and the address of its payment page. */
export type HostedCollectionAcknowledgement = {
    /**
     * Malipo's reference of the transaction: `MLP` and 22 characters of Crockford's base32. The first six tell the time, the other 16 (80 bits) come from a secure random source. Whoever knows the one of a collection may open its payment page, so treat it as a secret between you and the customer.
     * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
     */
    internal_reference: InternalReference;
    /**
     * Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
     * @example ORDER-2026-0001
     */
    merchant_reference: MerchantReference;
    /**
     * Address of the payment page of this collection. Load it in the customer's browser. The page lives 30 minutes. Shape: `{payment_page_base}/pay/collection/<internal_reference>`.
     * @example http://127.0.0.1:8080/pay/collection/MLP5Z6JER35TNMSJ3MSQFT7X6
     */
    payment_url: PaymentUrl;
};
/** The query parameters of `providers.list`. */
export type ProvidersQuery = {
    /**
     * Currency in which the providers transact.
     * @example UGX
     */
    currency: Currency;
    /**
     * Which way the money goes.
     * @example COLLECTION
     */
    transaction_type: "COLLECTION" | "PAYOUT";
};
/** The query parameters of `banks.list`. */
export type BanksQuery = {
    /**
     * Provider whose banks are wanted.
     * @example bank_ng
     */
    provider_code: RequestedProviderCode;
};
/** The query parameters of `wallets.list`. */
export type WalletsQuery = {
    /**
     * Currency of the wallets. Without it, or when it is empty, all wallets are returned.
     * @example UGX
     */
    currency?: Currency;
};
/** The query parameters of `transactions.list`. */
export type TransactionsQuery = {
    /**
     * Only what was accepted at this time or later. The same as absent when it is empty.
     * @example 2026-11-01T00:00:00Z
     */
    from?: PointInTime;
    /**
     * Only what was accepted before this time. The same as absent when it is empty.
     * @example 2026-12-01T00:00:00Z
     */
    to?: PointInTime;
    /**
     * Only what has this status. The same as absent when it is empty.
     * @example COMPLETED
     */
    transaction_status?: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED";
    /**
     * Only transactions of this type. The same as absent when it is empty.
     * @example COLLECTION
     */
    transaction_type?: "COLLECTION" | "PAYOUT" | "REFUND";
    /**
     * Only transactions of this provider. A code that no provider has finds nothing. The same as absent when it is empty.
     * @example mtn_ug
     */
    provider_code?: RequestedProviderCode;
    /**
     * Only transactions whose `merchant_reference` begins so. The same as absent when it is empty.
     * @example ORDER-2026
     */
    reference?: string;
    /**
     * How many a page has at most; 50 when it is absent. The same as absent when it is empty.
     * @example 50
     */
    limit?: number;
    /**
     * The `next` of the page before. Send the other parameters as before with it. The same as absent when it is empty.
     * @example 5187432100880384
     */
    after?: string;
};
/** The query parameters of `events.list`. */
export type EventsQuery = {
    /**
     * The number of the last event that you know; absent or 0 begins with the oldest that is kept. The same as absent when it is empty.
     * @example 812
     */
    after?: number;
    /**
     * Begins near this time instead, a few minutes before it, for a program that has kept no number yet. The same as absent when it is empty.
     * @example 2026-11-27T00:00:00Z
     */
    from?: PointInTime;
    /**
     * How many a page has at most; 50 when it is absent. The same as absent when it is empty.
     * @example 50
     */
    limit?: number;
};
/** The query parameters of `wallets.statement`. */
export type WalletsStatementQuery = {
    /**
     * Which wallet.
     * @example MERCHANT_COLLECTION
     */
    wallet_type: "MERCHANT_COLLECTION" | "MERCHANT_PAYOUT";
    /**
     * Currency of the wallet.
     * @example UGX
     */
    currency: Currency;
    /**
     * Beginning of the period. Its opening balance is that of this moment.
     * @example 2026-11-01T00:00:00Z
     */
    from: PointInTime;
    /**
     * End of the period, at most 31 days after `from`. What is booked at this very moment is not in it.
     * @example 2026-12-01T00:00:00Z
     */
    to: PointInTime;
};
/** The query parameters of `data.accountHolder`. */
export type DataAccountHolderQuery = {
    /**
     * Provider at which the account is.
     * @example mtn_ug
     */
    provider_code: RequestedProviderCode;
    /**
     * Number of the account, as collections take it.
     * @example 256772000123
     */
    msisdn: Msisdn;
};
/** The query parameters of `data.predictProvider`. */
export type DataPredictProviderQuery = {
    /**
     * A phone number in any form: with its country code (`+256 772 000123`, `00256…`, `256…`), or as it is dialled in its country (`0772000123`). A number that could be dialled in several countries of your providers needs `country`.
     * @example 256772000123
     */
    msisdn: Msisdn;
    /**
     * The country in which the number is dialled, for a number without its country code. The same as absent when it is empty.
     * @example UG
     */
    country?: Country;
};
/** The query parameters that the customer brings to your `redirect_url`. */
export type RedirectQuery = {
    /**
     * Numeric identifier of the transaction.
     * @example 1002
     */
    id: TransactionId;
    /**
     * What happened. FAILED and CANCELLED both come as `transaction.failed`.
     * @example transaction.completed
     */
    event: TransactionEvent;
    /**
     * Your reference.
     * @example ORDER-2026-0002
     */
    merchant_reference: MerchantReference;
    /**
     * Malipo's reference.
     * @example MLP5Z6JER35TNMSJ3MSQFT7X6
     */
    internal_reference: InternalReference;
    /**
     * Always `COLLECTION`.
     * @example COLLECTION
     */
    transaction_type: "COLLECTION";
    /**
     * Final status.
     * @example COMPLETED
     */
    transaction_status: FinalCollectionStatus;
    /**
     * Status text, URL-encoded.
     * @example Transaction Completed Successfully
     */
    status_message: StatusMessage;
    /**
     * Id of the key that made `rsa_signature`.
     * @example 429e326414cee5e6
     */
    rsa_key_id: RsaKeyId;
    /**
     * RSA signature, base64 and then URL-encoded.
     * @example Q3NvJacryHAoRDbIj3CSU/SrjgjV+Mrnbp3fGMh47ORX1jrl6NtZ4xrbMCIUnGzV6zeSYxSAUFET1Ccr/m9ZWMadynHmbLiI/ytBqKJa/sbzmH2LFVDZKb5A/wJRPkJdJx158hdn2gNeKrmIWgRReY7wyVqfL5i6YTuQiofzkunljIt9JKEn+ClcftTLPz5MEjxf3qIfsg9EqAaE1cnTQ3p6BZIo1ob1BjN/j/D3j8pG0cM5ftE+64QunE//3wvzAAmPI5p+Ve7YKKMOvF3LpfronOFvipy8xGetNq9NlIVM8KafLQ4TZ9ePF18HC3iQFpbLhakvjX5Dz4O1HL+eOQ==
     */
    rsa_signature: RsaSignature;
    /**
     * HMAC signature, URL-encoded.
     * @example t=1795168668456,s=5ba182cde709801a20dabcdc6dc96e7ae569e7d05421ed4379a27d505c197583
     */
    hmac_signature: HmacSignature;
};
export interface components {
    schemas: {
        Currency: Currency;
        ProviderCode: ProviderCode;
        TransactionMethod: TransactionMethod;
        Provider: Provider;
        PaymentProviderList: PaymentProviderList;
        PaymentProvidersReply: PaymentProvidersReply;
        ErrorReason: ErrorReason;
        EmptyData: EmptyData;
        ErrorReply: ErrorReply;
        RequestedProviderCode: RequestedProviderCode;
        BankCode: BankCode;
        PayoutBank: PayoutBank;
        PayoutBankList: PayoutBankList;
        PayoutBanksReply: PayoutBanksReply;
        Balance: Balance;
        Wallet: Wallet;
        WalletList: WalletList;
        WalletBalancesReply: WalletBalancesReply;
        MerchantReference: MerchantReference;
        TransactionId: TransactionId;
        InternalReference: InternalReference;
        Amount: Amount;
        AmountOrZero: AmountOrZero;
        CustomerName: CustomerName;
        CollectionStatus: CollectionStatus;
        StatusMessage: StatusMessage;
        FailureCode: FailureCode;
        CollectionTransaction: CollectionTransaction;
        PayoutStatus: PayoutStatus;
        PayoutTransaction: PayoutTransaction;
        Transaction: Transaction;
        TransactionReply: TransactionReply;
        MerchantReferenceOrAuto: MerchantReferenceOrAuto;
        Msisdn: Msisdn;
        TransactionDescription: TransactionDescription;
        CustomerEmail: CustomerEmail;
        RedirectUrl: RedirectUrl;
        MobileMoneyCollectionRequest: MobileMoneyCollectionRequest;
        BankCollectionRequest: BankCollectionRequest;
        CollectionRequest: CollectionRequest;
        PaymentUrl: PaymentUrl;
        CollectionAcknowledgement: CollectionAcknowledgement;
        CollectionAcceptedReply: CollectionAcceptedReply;
        TransactionEvent: TransactionEvent;
        FinalCollectionStatus: FinalCollectionStatus;
        RsaKeyId: RsaKeyId;
        RsaSignature: RsaSignature;
        HmacSignature: HmacSignature;
        AuthorizeCollectionRequest: AuthorizeCollectionRequest;
        CollectionAuthorization: CollectionAuthorization;
        CollectionAuthorizedReply: CollectionAuthorizedReply;
        MobileMoneyPayoutRequest: MobileMoneyPayoutRequest;
        BankAccountNumber: BankAccountNumber;
        BankPayoutExtraParams: BankPayoutExtraParams;
        BankPayoutRequest: BankPayoutRequest;
        PayoutRequest: PayoutRequest;
        PayoutAcknowledgement: PayoutAcknowledgement;
        PayoutAcceptedReply: PayoutAcceptedReply;
        BatchReference: BatchReference;
        PayoutBatchRequest: PayoutBatchRequest;
        PayoutCount: PayoutCount;
        PayoutBatchAcknowledgement: PayoutBatchAcknowledgement;
        PayoutBatchAcceptedReply: PayoutBatchAcceptedReply;
        BatchLine: BatchLine;
        PayoutBatchError: PayoutBatchError;
        PayoutBatchErrors: PayoutBatchErrors;
        PayoutBatchErrorReply: PayoutBatchErrorReply;
        BatchStatus: BatchStatus;
        BatchAmount: BatchAmount;
        BatchTotal: BatchTotal;
        BatchTotals: BatchTotals;
        BatchPayout: BatchPayout;
        PayoutBatch: PayoutBatch;
        PayoutBatchReply: PayoutBatchReply;
        CancelPayoutRequest: CancelPayoutRequest;
        ExpectedPaymentRequest: ExpectedPaymentRequest;
        ExpectedPayment: ExpectedPayment;
        ExpectedPaymentReply: ExpectedPaymentReply;
        RefundAmount: RefundAmount;
        RefundReason: RefundReason;
        RefundRequest: RefundRequest;
        RefundAcknowledgement: RefundAcknowledgement;
        RefundAcceptedReply: RefundAcceptedReply;
        Refund: Refund;
        RefundReply: RefundReply;
        PointInTime: PointInTime;
        ListedTransaction: ListedTransaction;
        TransactionPage: TransactionPage;
        TransactionPageReply: TransactionPageReply;
        WebhookId: WebhookId;
        WebhookTimestamp: WebhookTimestamp;
        WebhookSignature: WebhookSignature;
        ListedEvent: ListedEvent;
        EventPage: EventPage;
        EventPageReply: EventPageReply;
        SignedAmount: SignedAmount;
        StatementEntry: StatementEntry;
        Statement: Statement;
        StatementReply: StatementReply;
        StatementFile: StatementFile;
        StoredMsisdn: StoredMsisdn;
        AccountHolder: AccountHolder;
        AccountHolderReply: AccountHolderReply;
        Country: Country;
        PredictedProvider: PredictedProvider;
        PredictedProviderReply: PredictedProviderReply;
        CompletedCollection: CompletedCollection;
        CollectionCompletedCallback: CollectionCompletedCallback;
        FailedCollection: FailedCollection;
        CollectionFailedCallback: CollectionFailedCallback;
        CollectionCallback: CollectionCallback;
        CompletedPayout: CompletedPayout;
        PayoutCompletedCallback: PayoutCompletedCallback;
        FailedPayout: FailedPayout;
        PayoutFailedCallback: PayoutFailedCallback;
        PayoutCallback: PayoutCallback;
        BatchSum: BatchSum;
        PayoutBatchToVerify: PayoutBatchToVerify;
        PayoutBatchHandshake: PayoutBatchHandshake;
        PayoutBatchSummary: PayoutBatchSummary;
        PayoutBatchCallback: PayoutBatchCallback;
        CompletedRefund: CompletedRefund;
        RefundCompletedCallback: RefundCompletedCallback;
        FailedRefund: FailedRefund;
        RefundFailedCallback: RefundFailedCallback;
        RefundCallback: RefundCallback;
        PhoneCollectionRequest: PhoneCollectionRequest;
        HostedCollectionRequest: HostedCollectionRequest;
        HostedCollectionAcknowledgement: HostedCollectionAcknowledgement;
        ProvidersQuery: ProvidersQuery;
        BanksQuery: BanksQuery;
        WalletsQuery: WalletsQuery;
        TransactionsQuery: TransactionsQuery;
        EventsQuery: EventsQuery;
        WalletsStatementQuery: WalletsStatementQuery;
        DataAccountHolderQuery: DataAccountHolderQuery;
        DataPredictProviderQuery: DataPredictProviderQuery;
        RedirectQuery: RedirectQuery;
    };
    responses: {
        /** The providers of your account that fit the query. */
        PaymentProviders: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": PaymentProvidersReply;
            };
        };
        /** A header or parameter is missing or wrong. */
        BadProvidersQuery: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The public key is missing or unknown. */
        PublicKeyRefused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Too many requests from your account, or too many with wrong keys from your address. Wait as `Retry-After` says. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** A fault of Malipo. Try again, a POST with the same `Idempotency-Key`. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Malipo cannot answer now. Wait as `Retry-After` says. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The banks of the provider. */
        PayoutBanks: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": PayoutBanksReply;
            };
        };
        /** A header or parameter is missing or wrong, or no such provider exists. */
        BadBanksQuery: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The wallets of your account. */
        WalletBalances: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": WalletBalancesReply;
            };
        };
        /** A header or parameter is missing or wrong. */
        BadWalletsQuery: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** A key is missing, unknown or wrong. */
        KeysRefused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The transaction as it stands. */
        TransactionRetrieved: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": TransactionReply;
            };
        };
        /** A header or the reference is missing or wrong. */
        BadReference: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Your account has no transaction with this reference, or only the archive has it: payments may be archived 13 months after the end of their month. */
        TransactionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The collection is accepted. Its outcome comes later, by callback and redirect. */
        CollectionAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": CollectionAcceptedReply;
            };
        };
        /** The request is not formed as expected, or a rule of the provider or a bound of the account number forbids it. */
        BadCollection: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The public key is missing or unknown, or the merchant is suspended. */
        CollectionKeysRefused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The merchant reference, or the idempotency key, is already used. */
        AlreadyUsed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The request body is larger than 64 KiB. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The request body is not `application/json`. */
        NotJson: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Too many requests from your account, too many with wrong keys from your address, or too many approval prompts for the account number. Wait as `Retry-After` says. */
        TooManyPrompts: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Malipo cannot accept a payment now. Wait as `Retry-After` says. */
        NotCarried: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The one-time password is right; the collection goes on. */
        CollectionAuthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": CollectionAuthorizedReply;
            };
        };
        /** The request is not formed as expected, the password is wrong, or no password is taken for the account number now. */
        BadOtp: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Your account has no collection with this internal reference. */
        CollectionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The collection does not wait for a one-time password, or the idempotency key is already used. */
        NotAwaitingOtp: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The payout is accepted. The handshake follows, then the outcome by callback. */
        PayoutAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": PayoutAcceptedReply;
            };
        };
        /** The request is not formed as expected, or a rule of the provider or of your account forbids it. */
        BadPayout: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** A key is missing, unknown or wrong, or the merchant is suspended. */
        PayoutKeysRefused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The batch is accepted. Each of its payouts goes on by itself. */
        PayoutBatchAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": PayoutBatchAcceptedReply;
            };
        };
        /** The request is not formed as expected, or payouts of the batch are faulty. */
        BadPayoutBatch: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": PayoutBatchErrorReply;
            };
        };
        /** The batch reference, or the idempotency key, is already used. */
        PayoutBatchUsed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The request body is larger than 1 MiB. */
        BatchTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The batch as it stands. */
        PayoutBatchRetrieved: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": PayoutBatchReply;
            };
        };
        /** A header or the reference is missing or wrong. */
        BadBatchReference: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** A key is missing, unknown or wrong. */
        SecretKeyRefused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Your account has no batch with this reference. */
        PayoutBatchNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The payout is cancelled. The callback follows. */
        PayoutCancelled: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": PayoutAcceptedReply;
            };
        };
        /** The request is not formed as expected. */
        BadCancellation: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Your account has no payout with this reference. */
        PayoutNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The payout was handed over, or is final; or the idempotency key is already used. */
        PayoutHandedOver: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The payment is expected. The outcome follows by callback. */
        PaymentExpected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ExpectedPaymentReply;
            };
        };
        /** The request is not formed as expected, or a rule of the provider forbids it. */
        BadExpectedPayment: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The reference to be typed, the merchant reference or the idempotency key is already used. */
        CannotBeExpected: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The refund is accepted. The outcome follows by callback. */
        RefundAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": RefundAcceptedReply;
            };
        };
        /** The request is not formed as expected, or it is for more than is left of the collection. */
        BadRefund: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Your account has no collection with this reference. */
        RefundedCollectionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The collection cannot be refunded, or the merchant reference or the idempotency key is already used. */
        NotRefundable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The refund as it stands. */
        RefundRetrieved: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": RefundReply;
            };
        };
        /** Your account has no refund with this reference. */
        RefundNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** A page of your transactions. */
        TransactionsListed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": TransactionPageReply;
            };
        };
        /** A header or parameter is missing or wrong. */
        BadTransactionsQuery: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Payments may be archived 13 months after the end of their month. The message names the month. */
        MonthArchived: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** A page of your events. */
        EventsListed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": EventPageReply;
            };
        };
        /** A header or parameter is missing or wrong. */
        BadEventsQuery: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Events after this number have been archived with their payments. The message says up to which. */
        EventsArchived: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The statement of your wallet, in the envelope or as a file. */
        StatementRetrieved: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": StatementReply;
                "text/csv": StatementFile;
            };
        };
        /** A header or parameter is missing or wrong. */
        BadStatementQuery: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Whether the account exists, and who has it. */
        AccountHolderFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": AccountHolderReply;
            };
        };
        /** A header or parameter is missing or wrong. */
        BadHolderQuery: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Too many requests from your account, too many with wrong keys from your address, too many account holders in 24 hours, or too many queries about one account number. Wait as `Retry-After` says. */
        TooManyHolderQueries: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Malipo or the operator cannot answer now. Wait as `Retry-After` says. */
        OperatorUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** The provider that the number probably has. */
        ProviderPredicted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": PredictedProviderReply;
            };
        };
        /** A header or parameter is missing or wrong. */
        BadPredictionQuery: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": ErrorReply;
            };
        };
        /** Gone. Malipo stops this delivery and does not try again. */
        CallbackGone: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** Acknowledged. The delivery is finished. Malipo ignores the body. */
        CallbackAcknowledged: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** Not acknowledged. Malipo tries again later, after `Retry-After` (seconds or a date, 24 hours at most) where that is longer than its own wait. Redirects are not followed; they count as failures. */
        CallbackNotAcknowledged: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** The batch is yours and its payouts go on. Malipo ignores the body. */
        BatchConfirmed: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** No answer. Malipo asks again, three times. */
        PayoutUnanswered: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** The batch is not yours and all of its payouts fail. */
        BatchRejected: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** The payout is yours and goes on. Malipo ignores the body. */
        PayoutConfirmed: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** The payout is not yours and fails. */
        PayoutRejected: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
         * @example 1
         */
        ApiVersion: "1";
        /**
         * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
         * @example en
         */
        AcceptLanguage: string;
        /**
         * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        Traceparent: string;
        /**
         * Currency in which the providers transact.
         * @example UGX
         */
        CurrencyOfProviders: Currency;
        /**
         * Which way the money goes.
         * @example COLLECTION
         */
        TransactionTypeOfProviders: "COLLECTION" | "PAYOUT";
        /**
         * Provider whose banks are wanted.
         * @example bank_ng
         */
        ProviderOfBanks: RequestedProviderCode;
        /**
         * Currency of the wallets. Without it, or when it is empty, all wallets are returned.
         * @example UGX
         */
        CurrencyOfWallets: Currency;
        /**
         * Your reference of the transaction.
         * @example ORDER-2026-0001
         */
        MerchantReferenceInPath: MerchantReference;
        /**
         * Makes a retry safe: the same key with the same body repeats the first reply for 24 hours, with the header `Idempotency-Replayed: true`. The same key with another body is refused with 409. A key belongs to one operation. A request that is refused leaves its key free, except a wrong one-time password, which has used up a try.
         * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
         */
        IdempotencyKey: string;
        /**
         * Your reference of the batch.
         * @example SALARIES-2026-03
         */
        BatchReferenceInPath: BatchReference;
        /**
         * Your reference of the refund.
         * @example REFUND-2026-0001
         */
        RefundReferenceInPath: MerchantReference;
        /**
         * Only what was accepted at this time or later. The same as absent when it is empty.
         * @example 2026-11-01T00:00:00Z
         */
        FromOfTransactions: PointInTime;
        /**
         * Only what was accepted before this time. The same as absent when it is empty.
         * @example 2026-12-01T00:00:00Z
         */
        ToOfTransactions: PointInTime;
        /**
         * Only what has this status. The same as absent when it is empty.
         * @example COMPLETED
         */
        StatusOfTransactions: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED";
        /**
         * Only transactions of this type. The same as absent when it is empty.
         * @example COLLECTION
         */
        TypeOfTransactions: "COLLECTION" | "PAYOUT" | "REFUND";
        /**
         * Only transactions of this provider. A code that no provider has finds nothing. The same as absent when it is empty.
         * @example mtn_ug
         */
        ProviderOfTransactions: RequestedProviderCode;
        /**
         * Only transactions whose `merchant_reference` begins so. The same as absent when it is empty.
         * @example ORDER-2026
         */
        ReferencePrefix: string;
        /**
         * How many a page has at most; 50 when it is absent. The same as absent when it is empty.
         * @example 50
         */
        PageLimit: number;
        /**
         * The `next` of the page before. Send the other parameters as before with it. The same as absent when it is empty.
         * @example 5187432100880384
         */
        PageCursor: string;
        /**
         * The number of the last event that you know; absent or 0 begins with the oldest that is kept. The same as absent when it is empty.
         * @example 812
         */
        EventNumber: number;
        /**
         * Begins near this time instead, a few minutes before it, for a program that has kept no number yet. The same as absent when it is empty.
         * @example 2026-11-27T00:00:00Z
         */
        FromOfEvents: PointInTime;
        /**
         * Which wallet.
         * @example MERCHANT_COLLECTION
         */
        WalletTypeOfStatement: "MERCHANT_COLLECTION" | "MERCHANT_PAYOUT";
        /**
         * Currency of the wallet.
         * @example UGX
         */
        CurrencyOfStatement: Currency;
        /**
         * Beginning of the period. Its opening balance is that of this moment.
         * @example 2026-11-01T00:00:00Z
         */
        FromOfStatement: PointInTime;
        /**
         * End of the period, at most 31 days after `from`. What is booked at this very moment is not in it.
         * @example 2026-12-01T00:00:00Z
         */
        ToOfStatement: PointInTime;
        /**
         * Provider at which the account is.
         * @example mtn_ug
         */
        ProviderOfHolder: RequestedProviderCode;
        /**
         * Number of the account, as collections take it.
         * @example 256772000123
         */
        NumberOfHolder: Msisdn;
        /**
         * A phone number in any form: with its country code (`+256 772 000123`, `00256…`, `256…`), or as it is dialled in its country (`0772000123`). A number that could be dialled in several countries of your providers needs `country`.
         * @example 256772000123
         */
        NumberToPlace: Msisdn;
        /**
         * The country in which the number is dialled, for a number without its country code. The same as absent when it is empty.
         * @example UG
         */
        CountryOfNumber: Country;
        /**
         * The span that sends this, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it, in the trace of the request that the transaction began with. Only there when that trace is kept. No signature covers it.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
         */
        TraceparentSent: string;
    };
    requestBodies: never;
    headers: {
        /**
         * Identifier of this request. Quote it when you ask about it.
         * @example 4e131ce3-fe77-445a-b4ba-fa8047e45b24
         */
        XRequestId: string;
        /**
         * `no-store`: replies hold names, accounts and amounts, so no cache keeps them.
         * @example no-store
         */
        CacheControl: "no-store";
        /**
         * `nosniff`: a browser takes the reply for the JSON that it is, and for nothing else.
         * @example nosniff
         */
        XContentTypeOptions: "nosniff";
        /**
         * Which limit this request counts toward: its name, so many requests (`q`) in so many seconds (`w`). Each process of the gateway counts for itself. As in [RateLimit header fields for HTTP](https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10), a draft of the IETF; a program must do without them.
         * @example "public-key";q=20000;w=10
         */
        RateLimitPolicy: string;
        /**
         * What is left of that limit: so many requests (`r`) for the next so many seconds (`t`). With 0 left, the next one gets 429 with `Retry-After`.
         * @example "public-key";r=19999;t=10
         */
        RateLimit: string;
        /**
         * Which keys the operation wants.
         * @example ApiKey realm="malipo"
         */
        WwwAuthenticate: string;
        /**
         * Seconds to wait before the next try.
         * @example 1
         */
        RetryAfter: number;
        /**
         * `true` when this reply repeats the first one of the same `Idempotency-Key`; a first reply comes without this header, and so does every refusal but that of a wrong one-time password.
         * @example true
         */
        IdempotencyReplayed: "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPaymentProviders: {
        parameters: {
            query: {
                /**
                 * Currency in which the providers transact.
                 * @example UGX
                 */
                currency: components["parameters"]["CurrencyOfProviders"];
                /**
                 * Which way the money goes.
                 * @example COLLECTION
                 */
                transaction_type: components["parameters"]["TransactionTypeOfProviders"];
            };
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PaymentProviders"];
            400: components["responses"]["BadProvidersQuery"];
            401: components["responses"]["PublicKeyRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPayoutBanks: {
        parameters: {
            query: {
                /**
                 * Provider whose banks are wanted.
                 * @example bank_ng
                 */
                provider_code: components["parameters"]["ProviderOfBanks"];
            };
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PayoutBanks"];
            400: components["responses"]["BadBanksQuery"];
            401: components["responses"]["PublicKeyRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWalletBalances: {
        parameters: {
            query?: {
                /**
                 * Currency of the wallets. Without it, or when it is empty, all wallets are returned.
                 * @example UGX
                 */
                currency?: components["parameters"]["CurrencyOfWallets"];
            };
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WalletBalances"];
            400: components["responses"]["BadWalletsQuery"];
            401: components["responses"]["KeysRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyTransaction: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path: {
                /**
                 * Your reference of the transaction.
                 * @example ORDER-2026-0001
                 */
                merchant_reference: components["parameters"]["MerchantReferenceInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TransactionRetrieved"];
            400: components["responses"]["BadReference"];
            401: components["responses"]["PublicKeyRefused"];
            404: components["responses"]["TransactionNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    initializeCollection: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * Makes a retry safe: the same key with the same body repeats the first reply for 24 hours, with the header `Idempotency-Replayed: true`. The same key with another body is refused with 409. A key belongs to one operation. A request that is refused leaves its key free, except a wrong one-time password, which has used up a try.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** The collection to start. */
        requestBody: {
            content: {
                "application/json": CollectionRequest;
            };
        };
        responses: {
            202: components["responses"]["CollectionAccepted"];
            400: components["responses"]["BadCollection"];
            401: components["responses"]["CollectionKeysRefused"];
            409: components["responses"]["AlreadyUsed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyPrompts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["NotCarried"];
        };
    };
    authorizeCollection: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * Makes a retry safe: the same key with the same body repeats the first reply for 24 hours, with the header `Idempotency-Replayed: true`. The same key with another body is refused with 409. A key belongs to one operation. A request that is refused leaves its key free, except a wrong one-time password, which has used up a try.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** The one-time password that the customer received. */
        requestBody: {
            content: {
                "application/json": AuthorizeCollectionRequest;
            };
        };
        responses: {
            202: components["responses"]["CollectionAuthorized"];
            400: components["responses"]["BadOtp"];
            401: components["responses"]["CollectionKeysRefused"];
            404: components["responses"]["CollectionNotFound"];
            409: components["responses"]["NotAwaitingOtp"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyPrompts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendFunds: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * Makes a retry safe: the same key with the same body repeats the first reply for 24 hours, with the header `Idempotency-Replayed: true`. The same key with another body is refused with 409. A key belongs to one operation. A request that is refused leaves its key free, except a wrong one-time password, which has used up a try.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** The payout to start. */
        requestBody: {
            content: {
                "application/json": PayoutRequest;
            };
        };
        responses: {
            202: components["responses"]["PayoutAccepted"];
            400: components["responses"]["BadPayout"];
            401: components["responses"]["PayoutKeysRefused"];
            409: components["responses"]["AlreadyUsed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["NotCarried"];
        };
    };
    createPayoutBatch: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * Makes a retry safe: the same key with the same body repeats the first reply for 24 hours, with the header `Idempotency-Replayed: true`. The same key with another body is refused with 409. A key belongs to one operation. A request that is refused leaves its key free, except a wrong one-time password, which has used up a try.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** The payouts to start. */
        requestBody: {
            content: {
                "application/json": PayoutBatchRequest;
            };
        };
        responses: {
            202: components["responses"]["PayoutBatchAccepted"];
            400: components["responses"]["BadPayoutBatch"];
            401: components["responses"]["PayoutKeysRefused"];
            409: components["responses"]["PayoutBatchUsed"];
            413: components["responses"]["BatchTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["NotCarried"];
        };
    };
    getPayoutBatch: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path: {
                /**
                 * Your reference of the batch.
                 * @example SALARIES-2026-03
                 */
                batch_reference: components["parameters"]["BatchReferenceInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PayoutBatchRetrieved"];
            400: components["responses"]["BadBatchReference"];
            401: components["responses"]["SecretKeyRefused"];
            404: components["responses"]["PayoutBatchNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelPayout: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * Makes a retry safe: the same key with the same body repeats the first reply for 24 hours, with the header `Idempotency-Replayed: true`. The same key with another body is refused with 409. A key belongs to one operation. A request that is refused leaves its key free, except a wrong one-time password, which has used up a try.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** The payout to cancel. */
        requestBody: {
            content: {
                "application/json": CancelPayoutRequest;
            };
        };
        responses: {
            202: components["responses"]["PayoutCancelled"];
            400: components["responses"]["BadCancellation"];
            401: components["responses"]["SecretKeyRefused"];
            404: components["responses"]["PayoutNotFound"];
            409: components["responses"]["PayoutHandedOver"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    expectPayment: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * Makes a retry safe: the same key with the same body repeats the first reply for 24 hours, with the header `Idempotency-Replayed: true`. The same key with another body is refused with 409. A key belongs to one operation. A request that is refused leaves its key free, except a wrong one-time password, which has used up a try.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** The payment to expect. */
        requestBody: {
            content: {
                "application/json": ExpectedPaymentRequest;
            };
        };
        responses: {
            202: components["responses"]["PaymentExpected"];
            400: components["responses"]["BadExpectedPayment"];
            401: components["responses"]["PayoutKeysRefused"];
            409: components["responses"]["CannotBeExpected"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["NotCarried"];
        };
    };
    refundCollection: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * Makes a retry safe: the same key with the same body repeats the first reply for 24 hours, with the header `Idempotency-Replayed: true`. The same key with another body is refused with 409. A key belongs to one operation. A request that is refused leaves its key free, except a wrong one-time password, which has used up a try.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** The refund to start. */
        requestBody: {
            content: {
                "application/json": RefundRequest;
            };
        };
        responses: {
            202: components["responses"]["RefundAccepted"];
            400: components["responses"]["BadRefund"];
            401: components["responses"]["PayoutKeysRefused"];
            404: components["responses"]["RefundedCollectionNotFound"];
            409: components["responses"]["NotRefundable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["NotCarried"];
        };
    };
    retrieveRefund: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path: {
                /**
                 * Your reference of the refund.
                 * @example REFUND-2026-0001
                 */
                merchant_reference: components["parameters"]["RefundReferenceInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RefundRetrieved"];
            400: components["responses"]["BadReference"];
            401: components["responses"]["KeysRefused"];
            404: components["responses"]["RefundNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /**
                 * Only what was accepted at this time or later. The same as absent when it is empty.
                 * @example 2026-11-01T00:00:00Z
                 */
                from?: components["parameters"]["FromOfTransactions"];
                /**
                 * Only what was accepted before this time. The same as absent when it is empty.
                 * @example 2026-12-01T00:00:00Z
                 */
                to?: components["parameters"]["ToOfTransactions"];
                /**
                 * Only what has this status. The same as absent when it is empty.
                 * @example COMPLETED
                 */
                transaction_status?: components["parameters"]["StatusOfTransactions"];
                /**
                 * Only transactions of this type. The same as absent when it is empty.
                 * @example COLLECTION
                 */
                transaction_type?: components["parameters"]["TypeOfTransactions"];
                /**
                 * Only transactions of this provider. A code that no provider has finds nothing. The same as absent when it is empty.
                 * @example mtn_ug
                 */
                provider_code?: components["parameters"]["ProviderOfTransactions"];
                /**
                 * Only transactions whose `merchant_reference` begins so. The same as absent when it is empty.
                 * @example ORDER-2026
                 */
                reference?: components["parameters"]["ReferencePrefix"];
                /**
                 * How many a page has at most; 50 when it is absent. The same as absent when it is empty.
                 * @example 50
                 */
                limit?: components["parameters"]["PageLimit"];
                /**
                 * The `next` of the page before. Send the other parameters as before with it. The same as absent when it is empty.
                 * @example 5187432100880384
                 */
                after?: components["parameters"]["PageCursor"];
            };
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TransactionsListed"];
            400: components["responses"]["BadTransactionsQuery"];
            401: components["responses"]["KeysRefused"];
            404: components["responses"]["MonthArchived"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * The number of the last event that you know; absent or 0 begins with the oldest that is kept. The same as absent when it is empty.
                 * @example 812
                 */
                after?: components["parameters"]["EventNumber"];
                /**
                 * Begins near this time instead, a few minutes before it, for a program that has kept no number yet. The same as absent when it is empty.
                 * @example 2026-11-27T00:00:00Z
                 */
                from?: components["parameters"]["FromOfEvents"];
                /**
                 * How many a page has at most; 50 when it is absent. The same as absent when it is empty.
                 * @example 50
                 */
                limit?: components["parameters"]["PageLimit"];
            };
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventsListed"];
            400: components["responses"]["BadEventsQuery"];
            401: components["responses"]["KeysRefused"];
            404: components["responses"]["EventsArchived"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatement: {
        parameters: {
            query: {
                /**
                 * Which wallet.
                 * @example MERCHANT_COLLECTION
                 */
                wallet_type: components["parameters"]["WalletTypeOfStatement"];
                /**
                 * Currency of the wallet.
                 * @example UGX
                 */
                currency: components["parameters"]["CurrencyOfStatement"];
                /**
                 * Beginning of the period. Its opening balance is that of this moment.
                 * @example 2026-11-01T00:00:00Z
                 */
                from: components["parameters"]["FromOfStatement"];
                /**
                 * End of the period, at most 31 days after `from`. What is booked at this very moment is not in it.
                 * @example 2026-12-01T00:00:00Z
                 */
                to: components["parameters"]["ToOfStatement"];
            };
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatementRetrieved"];
            400: components["responses"]["BadStatementQuery"];
            401: components["responses"]["KeysRefused"];
            404: components["responses"]["MonthArchived"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    findAccountHolder: {
        parameters: {
            query: {
                /**
                 * Provider at which the account is.
                 * @example mtn_ug
                 */
                provider_code: components["parameters"]["ProviderOfHolder"];
                /**
                 * Number of the account, as collections take it.
                 * @example 256772000123
                 */
                msisdn: components["parameters"]["NumberOfHolder"];
            };
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountHolderFound"];
            400: components["responses"]["BadHolderQuery"];
            401: components["responses"]["KeysRefused"];
            429: components["responses"]["TooManyHolderQueries"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["OperatorUnavailable"];
        };
    };
    predictProvider: {
        parameters: {
            query: {
                /**
                 * A phone number in any form: with its country code (`+256 772 000123`, `00256…`, `256…`), or as it is dialled in its country (`0772000123`). A number that could be dialled in several countries of your providers needs `country`.
                 * @example 256772000123
                 */
                msisdn: components["parameters"]["NumberToPlace"];
                /**
                 * The country in which the number is dialled, for a number without its country code. The same as absent when it is empty.
                 * @example UG
                 */
                country?: components["parameters"]["CountryOfNumber"];
            };
            header: {
                /**
                 * Version of the API: a number, and only 1 exists. Send `1`; another decimal spelling of it, such as `1.0` or `01`, is taken too.
                 * @example 1
                 */
                "x-api-version": components["parameters"]["ApiVersion"];
                /**
                 * Language of the messages. English (`en`) is the only one yet. A missing header means `en`; any other language, or a weighted list such as `en-US,en;q=0.9`, falls back to `en`. It never makes a request fail.
                 * @example en
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * The span of yours that this request is part of, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it: `00`, 32 hexadecimal digits of the trace, 16 of the span, two of flags, with `-` between them. Where the gateway keeps traces, those of the request and of all that follows from it continue yours. Anything else is ignored and begins a new trace; it never makes a request fail. `tracestate` is not read.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProviderPredicted"];
            400: components["responses"]["BadPredictionQuery"];
            401: components["responses"]["PublicKeyRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    collectionCallback: {
        parameters: {
            query?: never;
            header: {
                /**
                 * HMAC signature of the final state, made with your signing key. It covers neither the amount nor the body: check `webhook-signature` instead.
                 * @example t=1795168648123,s=4cb6faecd30c6d87739a7687e55fbbf0574b1618799884dff07adc70c237db90
                 */
                "hmac-signature": HmacSignature;
                /**
                 * Id of the key that made `rsa-signature`.
                 * @example 429e326414cee5e6
                 */
                "rsa-key-id": RsaKeyId;
                /**
                 * RSA signature of the final state. It covers neither the amount nor the body: check `webhook-signature` instead.
                 * @example YVu3acNxHWpKbJ7JDZ6/dWAE/XN3moJ1xNNliY1Qwnz3xSaX/t0hfVnQQuLjSu28XnluSy9mM+TLNsX/LGz8GFd9PfJNbyIXlvyx/TKe5n4/ZAEzlQFHN+6JJ+9TFSu92lR2yvlGhzKxV2QprxSx7Q5z9XPA9fH2zf4QqMj/neHBeMNdWPqZejmUGlsU+FqdW/tEBd0TY71+xfPTWHiLkFA03oCRA50Uz+sqggk1LcJgyKOKoDXgI/yD30PiX11sQ4H3rQpCiPl5/ri4rT0nDIwNbr26ViMFPw0AmnP5ZU00pTUcbpvm1xp4YGILKKxauIANJVkYDx0cTPHVrxI6tg==
                 */
                "rsa-signature": RsaSignature;
                /**
                 * Identifier of the message, the same over retries.
                 * @example cb_PAE2D5PFHP6N04YVJW8NMN7KQ3
                 */
                "webhook-id": WebhookId;
                /**
                 * Unix time of the attempt in seconds.
                 * @example 1795168648
                 */
                "webhook-timestamp": WebhookTimestamp;
                /**
                 * Signature of the whole message, made with your webhook secret. Verify this one.
                 * @example v1,cSV/AJhnhuCfzlYRrgYeQD5zinYF1j0LVSzgh29FOtA=
                 */
                "webhook-signature": WebhookSignature;
                /**
                 * The span that sends this, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it, in the trace of the request that the transaction began with. Only there when that trace is kept. No signature covers it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["TraceparentSent"];
            };
            path?: never;
            cookie?: never;
        };
        /** The event and the transaction, exactly as verify returns it at that moment. */
        requestBody: {
            content: {
                "application/json": CollectionCallback;
            };
        };
        responses: {
            410: components["responses"]["CallbackGone"];
            "2XX": components["responses"]["CallbackAcknowledged"];
            "3XX": components["responses"]["CallbackNotAcknowledged"];
            "4XX": components["responses"]["CallbackNotAcknowledged"];
            "5XX": components["responses"]["CallbackNotAcknowledged"];
        };
    };
    payoutCallback: {
        parameters: {
            query?: never;
            header: {
                /**
                 * HMAC signature of the final state, made with your signing key. It covers neither the amount nor the body: check `webhook-signature` instead.
                 * @example t=1795168708123,s=573c8297b9d40866c5b15feb478a1a476e006c74e870eed24cae66bb81ec01e8
                 */
                "hmac-signature": HmacSignature;
                /**
                 * Id of the key that made `rsa-signature`.
                 * @example 429e326414cee5e6
                 */
                "rsa-key-id": RsaKeyId;
                /**
                 * RSA signature of the final state. It covers neither the amount nor the body: check `webhook-signature` instead.
                 * @example eYLjZDaL59T47kq4syj/U3cqLIvA5aOWasYFKC7FLb+JrfMkxun5nI63L7DG3JcEYdXLiupuwjRXQQPVxSHREmoHIK+zuVG6b/UAt6GZwXQShsHxyC8ahVMJeFAGfRN214cY05Wm2SwD09Rk6p+A02FsQdyXNLVMsR9PO06LO+YzRvU44XM7FX/YoDPeUCvvp1g0PaO6+PJRsgG2xT/EaOQ9dutay+hwoVwGfR6K0l90ytI+que3sBUNMy7/6WgCUBAnjHQrrl56dtbkTYJtZcf2NR8jwzM0MpuG/kJg5lNl8ST8kjXw0VMNfO1PYnrnAIAZOKz6s9i3VLL1OnDTsw==
                 */
                "rsa-signature": RsaSignature;
                /**
                 * Identifier of the message, the same over retries.
                 * @example cb_STYVP2A5K7TYV9682EVRG1XD08
                 */
                "webhook-id": WebhookId;
                /**
                 * Unix time of the attempt in seconds.
                 * @example 1795168708
                 */
                "webhook-timestamp": WebhookTimestamp;
                /**
                 * Signature of the whole message, made with your webhook secret. Verify this one.
                 * @example v1,fLSmSfSAP8W5ZFkNCTxSj0Bl6Npr5p33v+UuUu/pKhA=
                 */
                "webhook-signature": WebhookSignature;
                /**
                 * The span that sends this, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it, in the trace of the request that the transaction began with. Only there when that trace is kept. No signature covers it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["TraceparentSent"];
            };
            path?: never;
            cookie?: never;
        };
        /** The event and the transaction, exactly as verify returns it at that moment. */
        requestBody: {
            content: {
                "application/json": PayoutCallback;
            };
        };
        responses: {
            410: components["responses"]["CallbackGone"];
            "2XX": components["responses"]["CallbackAcknowledged"];
            "3XX": components["responses"]["CallbackNotAcknowledged"];
            "4XX": components["responses"]["CallbackNotAcknowledged"];
            "5XX": components["responses"]["CallbackNotAcknowledged"];
        };
    };
    payoutBatchHandshake: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Identifier of the message, the same over retries.
                 * @example cb_109TQN75QC736SZQNG1F9ZBW4M
                 */
                "webhook-id": WebhookId;
                /**
                 * Unix time of the attempt in seconds.
                 * @example 1795168705
                 */
                "webhook-timestamp": WebhookTimestamp;
                /**
                 * Signature of the whole message, made with your webhook secret. Verify this one.
                 * @example v1,J7sZ1JmlT80lrodLV3rq+pulsWGgMknRrxLiZGJt7OU=
                 */
                "webhook-signature": WebhookSignature;
                /**
                 * The span that sends this, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it, in the trace of the request that the transaction began with. Only there when that trace is kept. No signature covers it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["TraceparentSent"];
            };
            path?: never;
            cookie?: never;
        };
        /** The batch, how many payouts it has, and their sums. */
        requestBody: {
            content: {
                "application/json": PayoutBatchHandshake;
            };
        };
        responses: {
            200: components["responses"]["BatchConfirmed"];
            408: components["responses"]["PayoutUnanswered"];
            425: components["responses"]["PayoutUnanswered"];
            429: components["responses"]["PayoutUnanswered"];
            "2XX": components["responses"]["BatchConfirmed"];
            "3XX": components["responses"]["PayoutUnanswered"];
            "4XX": components["responses"]["BatchRejected"];
            "5XX": components["responses"]["PayoutUnanswered"];
        };
    };
    payoutBatchCallback: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Identifier of the message, the same over retries.
                 * @example cb_STYVP2A5K7TYV9682EVRG1XD08
                 */
                "webhook-id": WebhookId;
                /**
                 * Unix time of the attempt in seconds.
                 * @example 1795168708
                 */
                "webhook-timestamp": WebhookTimestamp;
                /**
                 * Signature of the whole message, made with your webhook secret. Verify this one.
                 * @example v1,bWfPa4s62wkcI2jYe6j+8r+3dPrUiubaWXuaDDOhvFs=
                 */
                "webhook-signature": WebhookSignature;
                /**
                 * The span that sends this, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it, in the trace of the request that the transaction began with. Only there when that trace is kept. No signature covers it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["TraceparentSent"];
            };
            path?: never;
            cookie?: never;
        };
        /** The event and the sums of the batch. */
        requestBody: {
            content: {
                "application/json": PayoutBatchCallback;
            };
        };
        responses: {
            410: components["responses"]["CallbackGone"];
            "2XX": components["responses"]["CallbackAcknowledged"];
            "3XX": components["responses"]["CallbackNotAcknowledged"];
            "4XX": components["responses"]["CallbackNotAcknowledged"];
            "5XX": components["responses"]["CallbackNotAcknowledged"];
        };
    };
    refundCallback: {
        parameters: {
            query?: never;
            header: {
                /**
                 * HMAC signature of the final state, made with your signing key. It covers neither the amount nor the body: check `webhook-signature` instead.
                 * @example t=1795168708123,s=6ba6fb603fdb5dd115210ad30a3075a50462d5ead74b63b638975669d76b6122
                 */
                "hmac-signature": HmacSignature;
                /**
                 * Id of the key that made `rsa-signature`.
                 * @example 429e326414cee5e6
                 */
                "rsa-key-id": RsaKeyId;
                /**
                 * RSA signature of the final state. It covers neither the amount nor the body: check `webhook-signature` instead.
                 * @example eYLjZDaL59T47kq4syj/U3cqLIvA5aOWasYFKC7FLb+JrfMkxun5nI63L7DG3JcEYdXLiupuwjRXQQPVxSHREmoHIK+zuVG6b/UAt6GZwXQShsHxyC8ahVMJeFAGfRN214cY05Wm2SwD09Rk6p+A02FsQdyXNLVMsR9PO06LO+YzRvU44XM7FX/YoDPeUCvvp1g0PaO6+PJRsgG2xT/EaOQ9dutay+hwoVwGfR6K0l90ytI+que3sBUNMy7/6WgCUBAnjHQrrl56dtbkTYJtZcf2NR8jwzM0MpuG/kJg5lNl8ST8kjXw0VMNfO1PYnrnAIAZOKz6s9i3VLL1OnDTsw==
                 */
                "rsa-signature": RsaSignature;
                /**
                 * Identifier of the message, the same over retries.
                 * @example cb_STYVP2A5K7TYV9682EVRG1XD08
                 */
                "webhook-id": WebhookId;
                /**
                 * Unix time of the attempt in seconds.
                 * @example 1795168708
                 */
                "webhook-timestamp": WebhookTimestamp;
                /**
                 * Signature of the whole message, made with your webhook secret. Verify this one.
                 * @example v1,gKEdcRG0EsHH5xh6Ng56JqXZ4JAK0gw7/m1d1CxRtHc=
                 */
                "webhook-signature": WebhookSignature;
                /**
                 * The span that sends this, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it, in the trace of the request that the transaction began with. Only there when that trace is kept. No signature covers it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["TraceparentSent"];
            };
            path?: never;
            cookie?: never;
        };
        /** The event and the refund, exactly as its lookup returns it at that moment. */
        requestBody: {
            content: {
                "application/json": RefundCallback;
            };
        };
        responses: {
            410: components["responses"]["CallbackGone"];
            "2XX": components["responses"]["CallbackAcknowledged"];
            "3XX": components["responses"]["CallbackNotAcknowledged"];
            "4XX": components["responses"]["CallbackNotAcknowledged"];
            "5XX": components["responses"]["CallbackNotAcknowledged"];
        };
    };
    payoutHandshake: {
        parameters: {
            query: {
                /**
                 * The merchant reference of the payout.
                 * @example PAYOUT-2026-0001
                 */
                reference: MerchantReference;
            };
            header: {
                /**
                 * Identifier of the message, the same over retries.
                 * @example cb_109TQN75QC736SZQNG1F9ZBW4M
                 */
                "webhook-id": WebhookId;
                /**
                 * Unix time of the attempt in seconds.
                 * @example 1795168705
                 */
                "webhook-timestamp": WebhookTimestamp;
                /**
                 * Signature of the whole message, made with your webhook secret. Verify this one.
                 * @example v1,2AGlH63gLYt8QG1Tec0IRiF4QjRmjZwy71VM3TrkWaM=
                 */
                "webhook-signature": WebhookSignature;
                /**
                 * The span that sends this, as [W3C Trace Context](https://www.w3.org/TR/trace-context/) writes it, in the trace of the request that the transaction began with. Only there when that trace is kept. No signature covers it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["TraceparentSent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PayoutConfirmed"];
            408: components["responses"]["PayoutUnanswered"];
            425: components["responses"]["PayoutUnanswered"];
            429: components["responses"]["PayoutUnanswered"];
            "2XX": components["responses"]["PayoutConfirmed"];
            "3XX": components["responses"]["PayoutUnanswered"];
            "4XX": components["responses"]["PayoutRejected"];
            "5XX": components["responses"]["PayoutUnanswered"];
        };
    };
}

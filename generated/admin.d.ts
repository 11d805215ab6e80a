// Written by `npm run generate` from openapi/admin.yaml, with openapi-typescript.

export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show who is calling
         * @description Returns the person of the token, with the role and the operations that it may use.
         */
        get: operations["showMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List merchants
         * @description The merchants, the newest first; `q` finds a name, a public key or an id.
         */
        get: operations["listMerchants"];
        put?: never;
        /**
         * Create a merchant
         * @description Makes a merchant with its keys, which are in this reply and nowhere else; it may use all payment options that there are.
         */
        post: operations["createMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        /**
         * Show a merchant
         * @description Its URLs, payment options, brand and the ages of its keys, and which of its callback URLs acknowledge nothing.
         */
        get: operations["showMerchant"];
        put?: never;
        /**
         * Change a merchant
         * @description Changes what is given. An empty text removes a URL, and an empty list of hosts allows any. People of a merchant change its URLs and hosts; its name and its payment options are changed by staff.
         */
        post: operations["changeMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your saved views
         * @description The lists of payments that the caller has saved, the oldest first.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a view
         * @description Saves a list of payments for the caller, in place of a view with the same name; without `query` it removes that view. At most 20.
         */
        post: operations["saveView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a merchant
         * @description The merchant starts no payments any more. Its payouts that are not sent yet wait with their money held; look-ups, callbacks and late results go on.
         */
        post: operations["suspendMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the suspension of a merchant
         * @description The merchant starts payments again, and payouts that waited go out.
         */
        post: operations["resumeMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/brand": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the brand
         * @description What customers see of the merchant on the payment page. An empty text removes a value; vector graphics are refused.
         */
        post: operations["brandMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/terms": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        /**
         * List own limits and charges
         * @description What the merchant has in place of the limits and charges of its providers.
         */
        get: operations["listTerms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set own limits
         * @description Limits of the merchant, narrower than those of the provider; what is absent does not change.
         */
        post: operations["setLimits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/limits/remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove own limits
         * @description The limits of the provider apply again.
         */
        post: operations["removeLimits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/charges": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set own charges
         * @description Charges of the merchant in place of those of the provider; what is absent does not change.
         */
        post: operations["setCharges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/charges/remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove own charges
         * @description The charges of the provider apply again.
         */
        post: operations["removeCharges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        /**
         * Show the wallets
         * @description The wallets of a merchant with their balances, and the latest movements by staff.
         */
        get: operations["showWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deposit into the payout wallet
         * @description Books money that the merchant paid by bank into its payout wallet. A reference is booked once.
         */
        post: operations["depositToWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move money between the wallets
         * @description Moves available money between the two wallets of the merchant. A reference is booked once.
         */
        post: operations["transferBetweenWallets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/payout-batches": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        /**
         * List batches of payouts
         * @description The batches of a merchant, by file or by its API, the newest first.
         */
        get: operations["listPayoutBatches"];
        put?: never;
        /**
         * Send a file of payouts
         * @description Accepts a CSV file of up to 10,000 payouts as one batch, or nothing of it: the preview lists every faulty row. The same file is accepted once. Where a rule for payouts covers the sum of a currency, its payouts wait for a second person.
         */
        post: operations["sendPayoutBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/payout-batches/preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a file of payouts
         * @description What sending the file would do now, with every faulty row. Nothing is stored.
         */
        post: operations["previewPayoutBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/payout-batches/{batch}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
                /**
                 * @description The batch, by its reference.
                 * @example SALARIES-2026-03
                 */
                batch: components["schemas"]["BatchReference"];
            };
            cookie?: never;
        };
        /**
         * Show a batch of payouts
         * @description A batch with its sums, how many of its failed payouts can be tried again, and a page of its payouts in the order of their lines.
         */
        get: operations["showPayoutBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/payout-batches/{batch}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
                /**
                 * @description The batch, by its reference.
                 * @example SALARIES-2026-03
                 */
                batch: components["schemas"]["BatchReference"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try the failed payouts again
         * @description Sends the payouts of a batch that failed once more, as a new batch with new references. A payout whose outcome is unknown, or that may have been paid all the same, is never among them, and each is tried again once.
         */
        post: operations["retryPayoutBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        /**
         * List keys
         * @description The keys of a merchant by id, kind and age; the keys themselves are shown once, when they are made.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Make a new key
         * @description The new key is in this reply and nowhere else. The old one stays valid for a while: an old signing key signs callbacks until then, and the new one from then on.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rsa-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List RSA keys
         * @description The gateway's own keys, the one that signs first.
         */
        get: operations["listRsaKeys"];
        put?: never;
        /**
         * Make a new RSA key
         * @description It signs for all merchants from now on; the public keys before it stay available by their ids until they are withdrawn.
         */
        post: operations["rotateRsaKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rsa-keys/{key}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the RSA key.
                 * @example 0f3b7a61c2d94e58
                 */
                key: components["parameters"]["RsaKeyInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw an RSA key
         * @description For a key that has leaked: it is never served again, and its private half is destroyed. Make its successor first.
         */
        post: operations["withdrawRsaKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment options
         * @description Every option of every provider, with limits, charges and clearing.
         */
        get: operations["listProviders"];
        put?: never;
        /**
         * Add a provider
         * @description A mobile money provider with its options; a merchant may use them once they are allowed to it.
         */
        post: operations["addProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The code of the provider.
                 * @example mtn_ug
                 */
                provider: components["parameters"]["ProviderInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a provider
         * @description Changes what is given. Limits, charges, clearing and reserve are those of one type; prefixes, their rule and the rail account are for both.
         */
        post: operations["setProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exchange rates
         * @description How many units of one currency one unit of another buys.
         */
        get: operations["listRates"];
        put?: never;
        /**
         * Set an exchange rate
         * @description Adds a rate or replaces it; running servers know it within a second.
         */
        post: operations["setRate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find payments
         * @description Payments, the newest first. `q` understands a merchant reference, an internal reference, an operator's receipt or id, an id, a phone or account number in any spelling, an amount (`5,000`, `5000 UGX`) and words of the customer's name (the last one of it, or any among the newest 10,000 payments), without being told which; the first of these that finds something decides. A page looks at 1,000 to 10,000 payments: where few of them fit, it has fewer than `limit`, or none, although others follow. With `stuck` the list has what needs a person, the longest first.
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export payments
         * @description All payments that match, the newest first, as a CSV file of any length, which is sent while it is read. Account numbers are masked; a text that a spreadsheet would execute begins with an apostrophe.
         */
        get: operations["exportPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        /**
         * Show a payment
         * @description The payment, the operator's ids of it, and what can be done about it now, by whom. A reference that several merchants use needs `merchant`.
         */
        get: operations["showPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        /**
         * Show the course of a payment
         * @description Every event and booking in the order of time, the callbacks with their masked bodies and attempts, and for staff the masked exchanges with the operator of the last 90 days, at most 200.
         */
        get: operations["showPaymentTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment}/full": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show a payment with its customer
         * @description The payment with the whole account number and what is known of the customer. The audit log has who and why.
         */
        post: operations["showFullPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a payment
         * @description Decides what the operator never reported, books a payout that the operator has paid while it was FAILED here, or ends a payout that waits. The merchant gets its callback.
         */
        post: operations["resolvePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a collection
         * @description Gives a completed collection, or a part of it, back to the account that paid it, as the merchant's own request would. Where a rule covers refunds, it waits for the merchant's approver. `GET` of the refund tells how it ends.
         */
        post: operations["refundPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payout
         * @description Cancels a payout that was not handed over to its operator, as the merchant's own request would: it ends `FAILED`, what it held is available again, and the merchant gets its callback.
         */
        post: operations["cancelPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment}/callbacks/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the callbacks of a payment again
         * @description Sends all callbacks of a payment again, the oldest first.
         */
        post: operations["resendCallbacksOfPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List callbacks
         * @description Callbacks, the newest first, without bodies and attempts.
         */
        get: operations["listCallbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send many callbacks again
         * @description Sends again the callbacks that were created since a moment and were attempted or wait for a URL, at most 500 at once, the oldest first: `more` says whether others are left, and `last` is the `after` of the next request.
         */
        post: operations["resendCallbacks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/{callback}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The callback, by its id or its webhook-id.
                 * @example 914235261452497
                 */
                callback: string;
            };
            cookie?: never;
        };
        /**
         * Show a callback
         * @description The callback with its masked body and every attempt.
         */
        get: operations["showCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/{callback}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The callback, by its id or its webhook-id.
                 * @example 914235261452497
                 */
                callback: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a callback again
         * @description Sends it now, under its webhook-id and with its body, to the URL that the merchant has now.
         */
        post: operations["resendCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/{callback}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The callback, by its id or its webhook-id.
                 * @example 914235261452497
                 */
                callback: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a callback to the test receiver
         * @description Signs the callback as if it went out now, and sends it over HTTP to the gateway's own test receiver instead of the merchant's URL. Says what arrived, and checks every signature. The delivery to the merchant is not touched.
         */
        post: operations["testCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what test receivers received
         * @description The newest 50 messages that the test receiver of a merchant received, newest first; after seven days they are gone. In a sandbox also what arrived at the inbox for the merchant.
         */
        get: operations["listReceived"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List kinds of rails
         * @description The operators' protocols that this version speaks, with the settings that a connection takes.
         */
        get: operations["listRailKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rail accounts
         * @description All connections to operators, by name. The circuit is the worst that any running process sees; `down_since` and the float are what any process has found.
         */
        get: operations["listRailAccounts"];
        put?: never;
        /**
         * Add a rail account
         * @description A connection to an operator, with the settings of its kind. Its secrets are stored sealed, also while the request waits for a second person. No provider leads to it yet.
         */
        post: operations["addRailAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-accounts/{rail_account}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        /**
         * Show a rail account
         * @description A connection with its settings, of which secrets are never shown, its last changes, and how the operator's replies differ from its contract.
         */
        get: operations["showRailAccount"];
        put?: never;
        /**
         * Change a rail account
         * @description Changes the settings that are given; an empty value removes an optional one. What decides where open orders are looked up cannot change while there are any.
         */
        post: operations["setRailAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-accounts/{rail_account}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a rail account
         * @description Deletes its credentials. Refused while a provider leads to it, or an order of it waits for a result. Its name is never used again.
         */
        post: operations["removeRailAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-accounts/{rail_account}/exchanges": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        /**
         * List the last exchanges
         * @description The last calls to the operator and messages from it, the newest first, of 90 days at most. All masked.
         */
        get: operations["listRailExchanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-accounts/{rail_account}/check": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a rail account
         * @description Tries our credentials at the operator, and an account if one is given. Moves nothing.
         */
        post: operations["checkRailAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-accounts/{rail_account}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the balance at the operator
         * @description Asks the operator now, and compares its balance with our ledger. Stores nothing.
         */
        post: operations["readRailBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-accounts/{rail_account}/movements": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Book a movement of our own
         * @description Books what the owner of the account moved at the operator without Malipo, such as a top-up. No wallet changes. A reference is booked once.
         */
        post: operations["bookOwnMovement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-accounts/{rail_account}/statements": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a statement
         * @description Reads an operator's statement, CSV or camt.053, all of it or nothing; what was imported before is not imported again. Larger files are imported on the command line.
         */
        post: operations["importStatement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-accounts/{rail_account}/statements/pull": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pull a statement
         * @description Imports what the operator's API lists from then until now, where it offers that.
         */
        post: operations["pullStatement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rail-accounts/{rail_account}/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reconcile a rail account
         * @description Compares the statements of a connection with the ledger. A run that takes longer than ten seconds goes on by itself: `state` is then `running`, and the same request with the same key says how it ended. If it never ends, because its process did, a request with another key compares the rest.
         */
        post: operations["runReconciliation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exceptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List differences
         * @description Differences between our ledger and an operator's statement, the oldest first. Each stays open until a later statement explains it or a person ends it with a reason.
         */
        get: operations["listExceptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exceptions/{exception}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The difference, by its number.
                 * @example 17
                 */
                exception: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Show a difference
         * @description Both sides of a difference - our payment and the operator's line - and what people noted about it.
         */
        get: operations["showException"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exceptions/{exception}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The difference, by its number.
                 * @example 17
                 */
                exception: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a note to a difference
         * @description Writes down what somebody found out. Notes are never changed or deleted.
         */
        post: operations["noteOnException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exceptions/{exception}/assignee": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The difference, by its number.
                 * @example 17
                 */
                exception: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a difference
         * @description Says who looks into it. Without `to` nobody does any more.
         */
        post: operations["assignException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exceptions/{exception}/end": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The difference, by its number.
                 * @example 17
                 */
                exception: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a difference
         * @description Ends it with a reason, and moves its money from the suspense account to where it belongs. No wallet changes. It stays ended unless the difference itself changes.
         */
        post: operations["endException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments that nobody has confirmed
         * @description Payments without an order that an operator's message tells of, the oldest first, until the operator's own answer or list, or a statement, has their receipt. Whoever knows the address may have made one up: nothing of them is booked.
         */
        get: operations["listClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suspense": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List money on suspense
         * @description What customers have paid again, by a further attempt at a collection that was paid already or has ended. Nobody's wallet has it; each stays until a person gives it back. The longest first.
         */
        get: operations["listSuspense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suspense/{suspense}/return": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description What lies on suspense, by its reference.
                 * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
                 */
                suspense: components["schemas"]["Reference"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give money on suspense back
         * @description Gives all of it back to the account that paid it, by the refund of its operator or else by a payout. No wallet changes, the merchant is not charged and gets no callback, and the collection stays as it is. Where a rule covers `manual-resolution`, it waits for a second person. `GET` of the payment that it makes tells how it ends.
         */
        post: operations["returnSuspense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suspense/{suspense}/take": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description What lies on suspense, by its reference, or by the number of its exception.
                 * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
                 */
                suspense: components["schemas"]["Reference"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take money on suspense for a collection
         * @description Completes a collection that waits for its customer, or has failed, by a payment that lies on suspense: its merchant gets the money and a callback. A collection that was expected takes any amount, another one only its own. Where a rule covers `manual-resolution`, it waits for a second person.
         */
        post: operations["takeSuspense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imported statements
         * @description What was imported or pulled from operators, the newest first.
         */
        get: operations["listStatements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/volume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count and sum payments
         * @description What was accepted in a period of at most 366 days, by the groups that are asked for and by currency. Without a period it is today, in UTC.
         */
        get: operations["reportVolume"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/volume/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the sums of payments
         * @description The same as a CSV file.
         */
        get: operations["exportVolume"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the balances of all merchants
         * @description The wallets of merchants that hold something, a page of merchants at a time, and the sums of all merchants.
         */
        get: operations["reportBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/balances/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the balances of all merchants
         * @description Every wallet of every merchant as a CSV file.
         */
        get: operations["exportBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/statements/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
                /**
                 * @description The month, in UTC.
                 * @example 2026-11
                 */
                month: string;
            };
            cookie?: never;
        };
        /**
         * Show a merchant's statement of a month
         * @description What each wallet held, what moved, and what it held then; what payouts in flight hold is part of a balance. The month may still run.
         */
        get: operations["showStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants/{merchant}/statements/{month}/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
                /**
                 * @description The month, in UTC.
                 * @example 2026-11
                 */
                month: string;
            };
            cookie?: never;
        };
        /**
         * Export a merchant's statement of a month
         * @description Every movement with the balance after it, as a CSV file of any length from one moment. At most two such files are written at once.
         */
        get: operations["exportStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people
         * @description Returns staff, or the people of one merchant, in the order of their invitations. People of a merchant see their own.
         */
        get: operations["listPeople"];
        put?: never;
        /**
         * Give somebody access
         * @description The person gets a role, and a link that works once within 24 hours and sets up how they sign in. Staff also get a one-time code for the command line. Both are shown only in this reply: pass them on. People of a merchant invite people of their own merchant.
         */
        post: operations["invitePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{person}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example 4
                 */
                person: components["parameters"]["PersonInPath"];
            };
            cookie?: never;
        };
        /**
         * Show a person
         * @description Returns a member of staff, or a person of a merchant, also one whose access has ended.
         */
        get: operations["showPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{person}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example 4
                 */
                person: components["parameters"]["PersonInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset how a person signs in
         * @description Ends all logins, sessions, passkeys and codes of the person at once, and returns a new link, shown only in this reply.
         */
        post: operations["resetSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{person}/role": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example 4
                 */
                person: components["parameters"]["PersonInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a person another role
         * @description The logins and sessions of the person end, and they sign in again. Nobody changes their own role.
         */
        post: operations["changePersonRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{person}/end": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example 4
                 */
                person: components["parameters"]["PersonInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a person's access
         * @description Ends the access at once, with all logins and sessions. The audit log keeps the name.
         */
        post: operations["endPersonAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests for approval
         * @description Returns what waits for a second person, the newest first. People of a merchant see the payouts of their own.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{approval}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the request.
                 * @example 7
                 */
                approval: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Show a request for approval
         * @description Returns all that its approver needs: who asks for what and why, what would change, and whether the caller may decide it.
         */
        get: operations["showApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{approval}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the request.
                 * @example 7
                 */
                approval: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a request
         * @description The payout goes on, or the change is executed now as its maker asked for it. Whoever made a request cannot approve it, and the digest says that the approver has read exactly this request.
         */
        post: operations["approveRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{approval}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the request.
                 * @example 7
                 */
                approval: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a request
         * @description The payout fails, or the change is never executed. Whoever made a request takes it back with this.
         */
        post: operations["refuseRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approval-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the four-eyes rules
         * @description Returns what waits for a second person. Without any rule, nothing does.
         */
        get: operations["listApprovalRules"];
        put?: never;
        /**
         * Set a four-eyes rule
         * @description From now on this waits for a second person. Another amount replaces the former one.
         */
        post: operations["setApprovalRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approval-rules/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a four-eyes rule
         * @description What the rule covers no longer waits; what waits already still does.
         */
        post: operations["removeApprovalRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Returns what people changed, the newest first, with who, why, old and new values.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the audit log
         * @description Recomputes the hash chain over all entries. Store the head elsewhere: whoever rebuilds the whole chain gets another one.
         */
        get: operations["verifyAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log/{entry}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the entry.
                 * @example 12
                 */
                entry: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Show an entry of the audit log
         * @description Returns all that is stored of one entry, with its place in the hash chain.
         */
        get: operations["showAuditEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the books and the payments
         * @description Runs every invariant over the ledger, the payments, the jobs and the callbacks, on what has changed since the last clean run. Calls at the same time share one run. The command `malipo doctor` also checks the machine that it runs on.
         */
        get: operations["runDoctor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/today": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show today
         * @description Returns the volume of today and of the last 14 days in UTC, how many payments of each provider succeed, and what needs a person. Figures of today may be half a minute old, those of former days an hour. People of a merchant see their own.
         */
        get: operations["showToday"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: int32
         * @description The HTTP status, repeated.
         * @example 200
         * @enum {integer}
         */
        Code200: 200;
        /**
         * @description Always `success`.
         * @example success
         * @enum {string}
         */
        Success: "success";
        /**
         * Status message
         * @description Text that describes the status, or the reason of the failure. For people; decide by `transaction_status`.
         * @example Transaction Completed Successfully
         */
        StatusMessage: string;
        /**
         * Text
         * @description One line of text.
         * @example Amina
         */
        Text: string;
        /**
         * Id
         * @description The id of a row.
         * @example 914235261452496
         */
        Id: string;
        /**
         * Me
         * @description A person, as the audit log names them.
         */
        Me: {
            name: components["schemas"]["Text"];
            /**
             * Role
             * @description What the person may do.
             * @example finance
             * @enum {string}
             */
            role: "admin" | "finance" | "support" | "developer" | "read-only" | "owner";
            merchant_id?: components["schemas"]["Id"];
            /** @description The operations that the role may use. */
            operations: components["schemas"]["Text"][];
        };
        /**
         * Me reply
         * @description The reply with the person of the token.
         */
        MeReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Me"];
        };
        /**
         * Reason of an error
         * @description What is wrong, in a word for programs. Others may come without a new version: then decide by `code`. [Errors](#tag/errors) says what each means.
         * @example missing_field
         */
        ErrorReason: string;
        /**
         * Empty data
         * @description Always the empty object.
         * @example {}
         */
        EmptyData: Record<string, never>;
        /**
         * Error
         * @description The envelope of every error.
         */
        ErrorReply: {
            /**
             * Format: int32
             * @description The HTTP status, repeated.
             * @example 400
             */
            code: number;
            /**
             * @description Always `error`.
             * @example error
             * @enum {string}
             */
            status: "error";
            /**
             * @description What is wrong, for people. When there are several faults, the first.
             * @example currency is required
             */
            message: string;
            reason: components["schemas"]["ErrorReason"];
            data: components["schemas"]["EmptyData"];
        };
        /**
         * Name of a merchant
         * @description What customers read.
         * @example Duka Moja
         */
        MerchantName: string;
        /**
         * URL of a merchant
         * @description An https URL; an empty text removes it.
         * @example https://shop.example/malipo
         */
        MerchantUrl: string;
        /**
         * Flag
         * @description Yes or no.
         * @example true
         */
        Flag: boolean;
        /**
         * Time
         * Format: date-time
         * @description A moment, in UTC.
         * @example 2026-11-20T10:00:00Z
         */
        Time: string;
        /**
         * Merchant in a list
         * @description A merchant in a list.
         */
        MerchantRow: {
            id: components["schemas"]["Id"];
            name: components["schemas"]["MerchantName"];
            public_key: components["schemas"]["Text"];
            collection_callback_url?: components["schemas"]["MerchantUrl"];
            sandbox_only: components["schemas"]["Flag"];
            created_at: components["schemas"]["Time"];
            suspended_at?: components["schemas"]["Time"];
        };
        /**
         * Page of merchants
         * @description Merchants, the newest first.
         */
        MerchantList: {
            /** @description The rows of this page. */
            items: components["schemas"]["MerchantRow"][];
            next?: components["schemas"]["Text"];
        };
        /**
         * Merchants reply
         * @description The reply with its data.
         */
        MerchantListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["MerchantList"];
        };
        /**
         * Host
         * @description A host, or `*.host` for all names below it.
         * @example shop.example
         */
        MerchantHost: string;
        /**
         * Reason
         * @description Why, for the audit log. It is stored for good, so it must hold no secret and no full phone number.
         * @example Bank transfer of 20 November
         */
        Reason: string;
        /**
         * New merchant
         * @description What a merchant begins with.
         */
        NewMerchant: {
            name: components["schemas"]["MerchantName"];
            collection_callback_url?: components["schemas"]["MerchantUrl"];
            payout_callback_url?: components["schemas"]["MerchantUrl"];
            refund_callback_url?: components["schemas"]["MerchantUrl"];
            verification_url?: components["schemas"]["MerchantUrl"];
            /** @description Whether a collection may be refunded by a payout where its operator has no such refund. */
            refunds_by_payout?: boolean;
            /** @description Whether one handshake confirms all payouts of a batch; otherwise each has its own. */
            batch_handshake?: boolean;
            /** @description Whether customers may try again on the payment page after a failure, with another number or provider. */
            page_retries?: boolean;
            /** @description Where customers may be sent after a payment; none: anywhere. */
            redirect_hosts?: components["schemas"]["MerchantHost"][];
            reason?: components["schemas"]["Reason"];
        };
        /**
         * Keys of a new merchant
         * @description They are shown once.
         */
        NewMerchantKeys: {
            merchant_id: components["schemas"]["Id"];
            public_key: components["schemas"]["Text"];
            secret_key: components["schemas"]["Text"];
            signing_key: components["schemas"]["Text"];
            webhook_secret: components["schemas"]["Text"];
        };
        /**
         * New merchant reply
         * @description The reply with its data.
         */
        NewMerchantKeysReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["NewMerchantKeys"];
        };
        /**
         * Waiting request
         * @description The request that waits.
         */
        WaitingRequest: {
            approval_id: components["schemas"]["Id"];
        };
        /**
         * Waits for approval
         * @description The request was stored; nothing is changed until a second person approves it.
         */
        WaitsReply: {
            /**
             * Format: int32
             * @description The HTTP status, repeated.
             * @example 202
             * @enum {integer}
             */
            code: 202;
            /**
             * @description Always `accepted`.
             * @example accepted
             * @enum {string}
             */
            status: "accepted";
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["WaitingRequest"];
        };
        /**
         * Code of a provider
         * @description What merchants send as `provider_code`.
         * @example mtn_ug
         */
        ProviderCode: string;
        /**
         * Transaction type
         * @description Money to a merchant, or from it.
         * @example COLLECTION
         * @enum {string}
         */
        TransactionType: "COLLECTION" | "PAYOUT";
        /**
         * Payment option of a merchant
         * @description What a merchant may use.
         */
        MerchantOption: {
            provider_code: components["schemas"]["ProviderCode"];
            transaction_type: components["schemas"]["TransactionType"];
        };
        /**
         * Age of a key
         * @description Never the key itself.
         */
        MerchantKeyAge: {
            kind: components["schemas"]["Text"];
            created_at: components["schemas"]["Time"];
            expires_at?: components["schemas"]["Time"];
        };
        /**
         * Failing URL
         * @description A URL that acknowledges nothing.
         */
        FailingUrl: {
            url: components["schemas"]["MerchantUrl"];
            since: components["schemas"]["Time"];
        };
        /**
         * Merchant
         * @description A merchant as staff and its own people see it.
         */
        Merchant: {
            id: components["schemas"]["Id"];
            name: components["schemas"]["MerchantName"];
            public_key: components["schemas"]["Text"];
            collection_callback_url?: components["schemas"]["MerchantUrl"];
            payout_callback_url?: components["schemas"]["MerchantUrl"];
            refund_callback_url?: components["schemas"]["MerchantUrl"];
            verification_url?: components["schemas"]["MerchantUrl"];
            /** @description Whether a collection may be refunded by a payout where its operator has no such refund. */
            refunds_by_payout?: boolean;
            /** @description Whether one handshake confirms all payouts of a batch; otherwise each has its own. */
            batch_handshake?: boolean;
            /** @description Whether customers may try again on the payment page after a failure, with another number or provider. */
            page_retries?: boolean;
            /** @description Where customers may be sent after a payment; none: anywhere. */
            redirect_hosts?: components["schemas"]["MerchantHost"][];
            brand_colour?: components["schemas"]["Text"];
            logo_digest?: components["schemas"]["Text"];
            support_contact?: components["schemas"]["Text"];
            sandbox_only: components["schemas"]["Flag"];
            created_at: components["schemas"]["Time"];
            suspended_at?: components["schemas"]["Time"];
            /** @description The payment options that it may use. */
            options: components["schemas"]["MerchantOption"][];
            /** @description The ages of its keys. */
            keys: components["schemas"]["MerchantKeyAge"][];
            /** @description Callback URLs that have acknowledged nothing for days. */
            callbacks_failing: components["schemas"]["FailingUrl"][];
        };
        /**
         * Merchant reply
         * @description The reply with its data.
         */
        MerchantReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Merchant"];
        };
        /**
         * Change of a merchant
         * @description What to change.
         */
        MerchantChange: {
            name?: components["schemas"]["MerchantName"];
            collection_callback_url?: components["schemas"]["MerchantUrl"];
            payout_callback_url?: components["schemas"]["MerchantUrl"];
            refund_callback_url?: components["schemas"]["MerchantUrl"];
            verification_url?: components["schemas"]["MerchantUrl"];
            /** @description Whether a collection may be refunded by a payout where its operator has no such refund. */
            refunds_by_payout?: boolean;
            /** @description Whether one handshake confirms all payouts of a batch; otherwise each has its own. */
            batch_handshake?: boolean;
            /** @description Whether customers may try again on the payment page after a failure, with another number or provider. */
            page_retries?: boolean;
            /** @description Where customers may be sent after a payment; none: anywhere. */
            redirect_hosts?: components["schemas"]["MerchantHost"][];
            /** @description Payment options to allow. */
            enable?: components["schemas"]["MerchantOption"][];
            /** @description Payment options to forbid. */
            disable?: components["schemas"]["MerchantOption"][];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Currency
         * @description Currency code of ISO 4217, three capital letters.
         * @example UGX
         */
        Currency: string;
        /**
         * Kind of a key
         * @description What the key is for.
         * @example secret_key
         * @enum {string}
         */
        KeyKind: "secret_key" | "signing_key" | "webhook_secret";
        /**
         * Replaced key
         * @description A key before the new one.
         */
        ReplacedKey: {
            key_id: components["schemas"]["Id"];
            kind: components["schemas"]["KeyKind"];
            created_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"];
        };
        /**
         * Id of an RSA key
         * @description What merchants see as `rsa-key-id`.
         * @example 0f3b7a61c2d94e58
         */
        RsaId: string;
        /**
         * Public key
         * @description In PEM.
         * @example PEM
         */
        Pem: string;
        /**
         * Batch reference
         * @description Your own reference of the batch. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once, apart from the references of payments.
         * @example SALARIES-2026-03
         */
        BatchReference: string;
        /**
         * Count
         * Format: int64
         * @description How many.
         * @example 3
         */
        Count: number;
        /**
         * Outcome
         * @description Names of what was changed or made.
         * @example {
         *       "merchant_id": "2"
         *     }
         */
        Outcome: {
            merchant_id?: components["schemas"]["Id"];
            transfer_id?: components["schemas"]["Id"];
            exception_id?: components["schemas"]["Id"];
            rail_account?: components["schemas"]["Text"];
            amount?: components["schemas"]["Text"];
            currency?: components["schemas"]["Currency"];
            /**
             * @description Whether nothing was booked now.
             * @example false
             */
            booked_before?: boolean;
            at?: components["schemas"]["Time"];
            by?: components["schemas"]["Text"];
            reason?: components["schemas"]["Text"];
            internal_reference?: components["schemas"]["Text"];
            merchant_reference?: components["schemas"]["Text"];
            resolution?: components["schemas"]["Text"];
            /**
             * Format: int32
             * @description How many are sent again.
             * @example 1
             */
            callbacks?: number;
            first?: components["schemas"]["Id"];
            last?: components["schemas"]["Id"];
            /**
             * @description Whether others are left.
             * @example false
             */
            more?: boolean;
            provider_code?: components["schemas"]["ProviderCode"];
            from?: components["schemas"]["Currency"];
            to?: components["schemas"]["Currency"];
            rate?: components["schemas"]["Text"];
            id?: components["schemas"]["Id"];
            name?: components["schemas"]["Text"];
            email?: components["schemas"]["Text"];
            role?: components["schemas"]["Text"];
            sign_in_link?: components["schemas"]["Text"];
            login_code?: components["schemas"]["Text"];
            key_id?: components["schemas"]["Id"];
            kind?: components["schemas"]["KeyKind"];
            secret?: components["schemas"]["Text"];
            created_at?: components["schemas"]["Time"];
            /** @description The keys that were valid before, and until when they still are. */
            replaced?: components["schemas"]["ReplacedKey"][];
            rsa_key_id?: components["schemas"]["RsaId"];
            public_pem?: components["schemas"]["Pem"];
            public_key?: components["schemas"]["Text"];
            secret_key?: components["schemas"]["Text"];
            signing_key?: components["schemas"]["Text"];
            webhook_secret?: components["schemas"]["Text"];
            state?: components["schemas"]["Text"];
            rule?: components["schemas"]["Text"];
            batch_reference?: components["schemas"]["BatchReference"];
            payouts?: components["schemas"]["Count"];
        };
        /**
         * Done
         * @description What was done.
         */
        DoneReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Outcome"];
        };
        /**
         * Saved view
         * @description A list of payments that a person returns to.
         */
        SavedView: {
            /**
             * @description Its name.
             * @example Failed payouts
             */
            name: string;
            /**
             * @description The query of the page, without a question mark.
             * @example type=PAYOUT&status=FAILED
             */
            query?: string;
        };
        /**
         * Views
         * @description The views of the caller.
         */
        Views: {
            /** @description The oldest first. */
            items: components["schemas"]["SavedView"][];
        };
        /**
         * Views reply
         * @description The reply with the views of the caller.
         */
        ViewsReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Views"];
        };
        /**
         * With a reason
         * @description A change that needs no more than a reason.
         */
        ReasonOnly: {
            reason: components["schemas"]["Reason"];
        };
        /**
         * Logo
         * @description A PNG, JPEG or WebP of 16 kB at most, in base64; an empty text removes it.
         * @example
         */
        LogoText: string;
        /**
         * Change of a brand
         * @description What to change.
         */
        BrandChange: {
            colour?: components["schemas"]["Text"];
            support_contact?: components["schemas"]["Text"];
            logo?: components["schemas"]["LogoText"];
            reason?: components["schemas"]["Reason"];
        };
        /**
         * Balance
         * @description Balance of a wallet in the main unit of its currency. Never below zero.
         * @example 1250000
         */
        Balance: number;
        /**
         * Basis points
         * Format: int32
         * @description Hundredths of a percent.
         * @example 150
         */
        BasisPoints: number;
        /**
         * Own terms of an option
         * @description What the merchant has of its own; what is absent is the provider's.
         */
        Terms: {
            provider_code: components["schemas"]["ProviderCode"];
            transaction_type: components["schemas"]["TransactionType"];
            currency: components["schemas"]["Currency"];
            min_amount?: components["schemas"]["Balance"];
            max_amount?: components["schemas"]["Balance"];
            max_daily_amount?: components["schemas"]["Balance"];
            charge_basis_points?: components["schemas"]["BasisPoints"];
            charge_flat?: components["schemas"]["Balance"];
        };
        /**
         * Own terms
         * @description Limits and charges of a merchant.
         */
        TermsList: {
            /** @description The rows of this page. */
            items: components["schemas"]["Terms"][];
        };
        /**
         * Own terms reply
         * @description The reply with its data.
         */
        TermsListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["TermsList"];
        };
        /**
         * Amount as text
         * @description An amount in major units, digit for digit.
         * @example 1500000
         */
        AmountText: string;
        /**
         * Own limits
         * @description Limits of a merchant at one option.
         */
        Limits: {
            provider_code: components["schemas"]["ProviderCode"];
            transaction_type: components["schemas"]["TransactionType"];
            min_amount?: components["schemas"]["AmountText"];
            max_amount?: components["schemas"]["AmountText"];
            max_daily_amount?: components["schemas"]["AmountText"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Option of a merchant
         * @description Which option.
         */
        TermsOption: {
            provider_code: components["schemas"]["ProviderCode"];
            transaction_type: components["schemas"]["TransactionType"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Own charges
         * @description Charges of a merchant at one option.
         */
        Charges: {
            provider_code: components["schemas"]["ProviderCode"];
            transaction_type: components["schemas"]["TransactionType"];
            charge_basis_points?: components["schemas"]["BasisPoints"];
            charge_flat?: components["schemas"]["AmountText"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Balance of a wallet
         * @description A wallet; `actual_balance` is the sum of the first three.
         */
        WalletBalance: {
            /**
             * @description Which of the two wallets.
             * @example MERCHANT_PAYOUT
             * @enum {string}
             */
            wallet_type: "MERCHANT_COLLECTION" | "MERCHANT_PAYOUT";
            currency: components["schemas"]["Currency"];
            available_balance: components["schemas"]["Balance"];
            uncleared_balance: components["schemas"]["Balance"];
            reserve_balance: components["schemas"]["Balance"];
            actual_balance: components["schemas"]["Balance"];
            held_balance: components["schemas"]["Balance"];
        };
        /**
         * Wallet
         * @description What the wallet is for.
         * @example payout
         * @enum {string}
         */
        WalletPurpose: "collection" | "payout";
        /**
         * Movement by staff
         * @description A deposit or a transfer.
         */
        WalletMovement: {
            transfer_id: components["schemas"]["Id"];
            at: components["schemas"]["Time"];
            /**
             * @description What it was.
             * @example deposit
             * @enum {string}
             */
            kind: "deposit" | "wallet_transfer";
            into: components["schemas"]["WalletPurpose"];
            currency: components["schemas"]["Currency"];
            amount: components["schemas"]["Balance"];
            note?: components["schemas"]["Text"];
            reference?: components["schemas"]["Text"];
        };
        /**
         * Wallets
         * @description The wallets of a merchant.
         */
        Wallets: {
            /** @description One of each purpose and currency. */
            wallets: components["schemas"]["WalletBalance"][];
            /** @description The latest deposits and transfers by staff, the newest first. */
            movements: components["schemas"]["WalletMovement"][];
        };
        /**
         * Wallets reply
         * @description The reply with its data.
         */
        WalletsReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Wallets"];
        };
        /**
         * Reference of a movement
         * @description Its name elsewhere, such as the bank's.
         * @example FT26324XK81
         */
        Reference: string;
        /**
         * Deposit
         * @description Money that a merchant paid by bank.
         */
        Deposit: {
            currency: components["schemas"]["Currency"];
            amount: components["schemas"]["AmountText"];
            reference: components["schemas"]["Reference"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Transfer between wallets
         * @description Money of a merchant from one wallet to the other.
         */
        WalletTransfer: {
            currency: components["schemas"]["Currency"];
            amount: components["schemas"]["AmountText"];
            from: components["schemas"]["WalletPurpose"];
            to: components["schemas"]["WalletPurpose"];
            reference: components["schemas"]["Reference"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Batch
         * @description A batch of payouts. `finished_at` is absent until every payout is final.
         */
        Batch: {
            id: components["schemas"]["Id"];
            batch_reference: components["schemas"]["BatchReference"];
            created_at: components["schemas"]["Time"];
            finished_at?: components["schemas"]["Time"];
            payouts: components["schemas"]["Count"];
            retry_of?: components["schemas"]["BatchReference"];
        };
        /**
         * Next
         * @description The `after` of the next page; absent on the last one.
         * @example 914235261452496
         */
        Next: string;
        /**
         * Page of batches
         * @description Batches, the newest first.
         */
        BatchPage: {
            /** @description The batches. */
            items: components["schemas"]["Batch"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Batch list reply
         * @description The reply with a page of batches.
         */
        BatchListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["BatchPage"];
        };
        /**
         * File of payouts
         * @description A CSV file, as spreadsheets write it.
         */
        PayoutFile: {
            /**
             * @description Its bytes in base64, 4 MiB of them at most.
             * @example bWVyY2hhbnRfcmVmZXJlbmNlLGFjY291bnRfbnVtYmVyLGFtb3VudCxjdXJyZW5jeSxwcm92aWRlcl9jb2RlLGN1c3RvbWVyX25hbWUsZGVzY3JpcHRpb24KU0FMQVJZLTIwMjYtMDAwMSwyNTY3NzIwMDAxMjMsMTUwMDAwLFVHWCxtdG5fdWcsQW1pbmEgTmFrYXRvLE1hcmNoIHNhbGFyeQo=
             */
            content: string;
            batch_reference?: components["schemas"]["BatchReference"];
            reason?: components["schemas"]["Reason"];
        };
        /**
         * Sum of a batch
         * @description The sum of the amounts in the main unit of the currency, without charges.
         * @example 45000
         */
        BatchAmount: number;
        /**
         * Total of a preview
         * @description The payouts in one currency, what the payout wallet holds now, and whether they wait for a second person.
         */
        PreviewTotal: {
            currency: components["schemas"]["Currency"];
            payouts: components["schemas"]["Count"];
            amount: components["schemas"]["BatchAmount"];
            charge: components["schemas"]["BatchAmount"];
            available: components["schemas"]["BatchAmount"];
            /**
             * @description Whether a rule covers their sum.
             * @example false
             */
            waits: boolean;
        };
        /**
         * Line
         * Format: int32
         * @description The place of a payout in its batch, counted from 1; in a file its line.
         * @example 2
         */
        BatchLine: number;
        /**
         * Fault of a payout
         * @description Why a payout cannot be accepted.
         */
        PayoutBatchError: {
            line: components["schemas"]["BatchLine"];
            /**
             * @description What is wrong, in the words of send-funds.
             * @example account_number is required
             */
            message: string;
        };
        /**
         * Preview
         * @description What sending a file would do; with a faulty row it would do nothing.
         */
        Preview: {
            batch_reference: components["schemas"]["BatchReference"];
            payouts: components["schemas"]["Count"];
            /** @description The payouts without a fault, by currency. */
            totals: components["schemas"]["PreviewTotal"][];
            /** @description Every faulty row, in the order of the file. */
            faults: components["schemas"]["PayoutBatchError"][];
        };
        /**
         * Preview reply
         * @description The reply with a preview.
         */
        PreviewReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Preview"];
        };
        /**
         * Number of payouts
         * Format: int32
         * @description How many payouts.
         * @example 2
         */
        PayoutCount: number;
        /**
         * Total of a batch in a currency
         * @description The payouts of a batch in one currency.
         */
        BatchTotal: {
            /** @description Currency of these payouts. */
            currency: components["schemas"]["Currency"];
            payouts: components["schemas"]["PayoutCount"];
            amount: components["schemas"]["BatchAmount"];
            /** @description How many of them are `COMPLETED`. */
            completed: components["schemas"]["PayoutCount"];
            /** @description How many of them are `FAILED`. */
            failed: components["schemas"]["PayoutCount"];
        };
        /**
         * Totals of a batch
         * @description One for each currency.
         */
        BatchTotals: components["schemas"]["BatchTotal"][];
        /**
         * Payout of a batch
         * @description A payout of a batch. `retryable` says whether it failed and can be tried again.
         */
        BatchRow: {
            line: components["schemas"]["BatchLine"];
            merchant_reference: components["schemas"]["Text"];
            internal_reference: components["schemas"]["Text"];
            transaction_status: components["schemas"]["Text"];
            status_message: components["schemas"]["Text"];
            amount: components["schemas"]["BatchAmount"];
            currency: components["schemas"]["Currency"];
            /**
             * @description Whether it can be tried again.
             * @example true
             */
            retryable: boolean;
        };
        /**
         * Details of a batch
         * @description A batch with its sums and a page of its payouts.
         */
        BatchDetails: {
            batch: components["schemas"]["Batch"];
            totals: components["schemas"]["BatchTotals"];
            retryable: components["schemas"]["Count"];
            /** @description In the order of their lines. */
            items: components["schemas"]["BatchRow"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Batch reply
         * @description The reply with a batch.
         */
        BatchReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["BatchDetails"];
        };
        /**
         * Key
         * @description Never the key itself.
         */
        KeyRow: {
            id: components["schemas"]["Id"];
            kind: components["schemas"]["KeyKind"];
            created_at: components["schemas"]["Time"];
            expires_at?: components["schemas"]["Time"];
            valid: components["schemas"]["Flag"];
        };
        /**
         * Keys
         * @description The keys of a merchant.
         */
        KeyList: {
            /** @description The rows of this page. */
            items: components["schemas"]["KeyRow"][];
        };
        /**
         * Keys reply
         * @description The reply with its data.
         */
        KeyListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["KeyList"];
        };
        /**
         * Rotation of a key
         * @description Which key, and how long the old one stays valid.
         */
        KeyRotation: {
            kind: components["schemas"]["KeyKind"];
            /**
             * Format: int32
             * @description 24 hours by default; 0 ends it at once.
             * @example 604800
             */
            keep_old_seconds?: number;
            reason: components["schemas"]["Reason"];
        };
        /**
         * New key
         * @description It is shown once.
         */
        RotatedKey: {
            merchant_id: components["schemas"]["Id"];
            key_id: components["schemas"]["Id"];
            kind: components["schemas"]["KeyKind"];
            secret: components["schemas"]["Text"];
            created_at: components["schemas"]["Time"];
            /** @description The keys before it, and until when they are valid. */
            replaced: components["schemas"]["ReplacedKey"][];
        };
        /**
         * New key reply
         * @description The reply with its data.
         */
        RotatedKeyReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["RotatedKey"];
        };
        /**
         * RSA key
         * @description The public half.
         */
        RsaKeyRow: {
            id: components["schemas"]["RsaId"];
            public_pem: components["schemas"]["Pem"];
            created_at: components["schemas"]["Time"];
            withdrawn_at?: components["schemas"]["Time"];
            signs: components["schemas"]["Flag"];
        };
        /**
         * RSA keys
         * @description The gateway's own keys.
         */
        RsaKeyList: {
            /** @description The rows of this page. */
            items: components["schemas"]["RsaKeyRow"][];
        };
        /**
         * RSA keys reply
         * @description The reply with its data.
         */
        RsaKeyListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["RsaKeyList"];
        };
        /**
         * New RSA key
         * @description The public half.
         */
        RotatedRsaKey: {
            rsa_key_id: components["schemas"]["RsaId"];
            public_pem: components["schemas"]["Pem"];
            created_at: components["schemas"]["Time"];
        };
        /**
         * New RSA key reply
         * @description The reply with its data.
         */
        RotatedRsaKeyReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["RotatedRsaKey"];
        };
        /**
         * Withdrawn RSA key
         * @description It was withdrawn now, or before.
         */
        WithdrawnRsaKey: {
            rsa_key_id: components["schemas"]["RsaId"];
            withdrawn_at: components["schemas"]["Time"];
            before: components["schemas"]["Flag"];
        };
        /**
         * Withdrawn RSA key reply
         * @description The reply with its data.
         */
        WithdrawnRsaKeyReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["WithdrawnRsaKey"];
        };
        /**
         * Seconds
         * Format: int32
         * @description A span of time.
         * @example 86400
         */
        Seconds: number;
        /**
         * Prefix
         * @description What phone numbers begin with after the country code.
         * @example 77
         */
        PhonePrefix: string;
        /**
         * Rule of prefixes
         * @description `strict`: a number must begin with a prefix; `hint`: the operator decides.
         * @example strict
         * @enum {string}
         */
        PrefixRule: "strict" | "hint";
        /**
         * Rail account or none
         * @description The connection to its operator; an empty text for none.
         * @example mtn-uganda
         */
        RailAccountOrNone: string;
        /**
         * Payment option
         * @description What a provider offers, of one type.
         */
        ProviderOption: {
            provider_code: components["schemas"]["ProviderCode"];
            transaction_type: components["schemas"]["TransactionType"];
            name: components["schemas"]["Text"];
            /**
             * @description How the customer pays.
             * @example MOBILE_MONEY
             * @enum {string}
             */
            transaction_method: "MOBILE_MONEY" | "BANK";
            currency: components["schemas"]["Currency"];
            min_amount: components["schemas"]["Balance"];
            max_amount: components["schemas"]["Balance"];
            max_daily_amount: components["schemas"]["Balance"];
            charge_basis_points: components["schemas"]["BasisPoints"];
            charge_flat: components["schemas"]["Balance"];
            clearing_delay_seconds: components["schemas"]["Seconds"];
            reserve_basis_points: components["schemas"]["BasisPoints"];
            reserve_seconds: components["schemas"]["Seconds"];
            is_active: components["schemas"]["Flag"];
            /**
             * @description Of collections: whether a refund gives the charge back, too.
             * @example false
             */
            refunds_charge?: boolean;
            requires_otp: components["schemas"]["Flag"];
            calling_code?: components["schemas"]["Text"];
            /** @description What its phone numbers begin with after the country code. */
            prefixes?: components["schemas"]["PhonePrefix"][];
            prefix_rule?: components["schemas"]["PrefixRule"];
            rail_account?: components["schemas"]["RailAccountOrNone"];
        };
        /**
         * Payment options
         * @description The options of the providers.
         */
        OptionList: {
            /** @description The rows of this page. */
            items: components["schemas"]["ProviderOption"][];
        };
        /**
         * Payment options reply
         * @description The reply with its data.
         */
        OptionListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["OptionList"];
        };
        /**
         * Calling code
         * @description The country code of its phone numbers.
         * @example 256
         */
        CallingCode: string;
        /**
         * New provider
         * @description A mobile money provider.
         */
        NewProvider: {
            provider_code: components["schemas"]["ProviderCode"];
            name: components["schemas"]["Text"];
            currency: components["schemas"]["Currency"];
            calling_code: components["schemas"]["CallingCode"];
            /** @description What its phone numbers begin with after the country code. */
            prefixes: components["schemas"]["PhonePrefix"][];
            prefix_rule?: components["schemas"]["PrefixRule"];
            /** @description What it offers. */
            transaction_types: components["schemas"]["TransactionType"][];
            min_amount: components["schemas"]["AmountText"];
            max_amount: components["schemas"]["AmountText"];
            max_daily_amount: components["schemas"]["AmountText"];
            collection_charge_basis_points?: components["schemas"]["BasisPoints"];
            payout_charge_basis_points?: components["schemas"]["BasisPoints"];
            rail_account?: components["schemas"]["RailAccountOrNone"];
            is_active?: components["schemas"]["Flag"];
            reason?: components["schemas"]["Reason"];
        };
        /**
         * Change of a provider
         * @description What to change.
         */
        ProviderChange: {
            transaction_type?: components["schemas"]["TransactionType"];
            min_amount?: components["schemas"]["AmountText"];
            max_amount?: components["schemas"]["AmountText"];
            max_daily_amount?: components["schemas"]["AmountText"];
            charge_basis_points?: components["schemas"]["BasisPoints"];
            charge_flat?: components["schemas"]["AmountText"];
            clearing_delay_seconds?: components["schemas"]["Seconds"];
            reserve_basis_points?: components["schemas"]["BasisPoints"];
            reserve_seconds?: components["schemas"]["Seconds"];
            is_active?: components["schemas"]["Flag"];
            /**
             * @description Of collections: whether a refund gives the charge back, too.
             * @example false
             */
            refunds_charge?: boolean;
            /** @description What its phone numbers begin with after the country code. */
            prefixes?: components["schemas"]["PhonePrefix"][];
            prefix_rule?: components["schemas"]["PrefixRule"];
            rail_account?: components["schemas"]["RailAccountOrNone"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Exchange rate
         * @description A decimal number above 0, as text.
         * @example 3800
         */
        RateText: string;
        /**
         * Exchange rate of two currencies
         * @description How many units of `to` one unit of `from` buys.
         */
        Rate: {
            from: components["schemas"]["Currency"];
            to: components["schemas"]["Currency"];
            rate: components["schemas"]["RateText"];
            updated_at: components["schemas"]["Time"];
        };
        /**
         * Exchange rates
         * @description The exchange rates.
         */
        RateList: {
            /** @description The rows of this page. */
            items: components["schemas"]["Rate"][];
        };
        /**
         * Exchange rates reply
         * @description The reply with its data.
         */
        RateListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["RateList"];
        };
        /**
         * Change of a rate
         * @description The rate to set.
         */
        RateChange: {
            from: components["schemas"]["Currency"];
            to: components["schemas"]["Currency"];
            rate: components["schemas"]["RateText"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Status of a collection
         * @description `PENDING` after acceptance, `PROCESSING` once the operator or bank has it; final: `COMPLETED`, `FAILED`, `CANCELLED`.
         * @example COMPLETED
         * @enum {string}
         */
        CollectionStatus: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED";
        /**
         * Type
         * @description Whether money comes in, goes out, or goes back.
         * @example COLLECTION
         * @enum {string}
         */
        Type: "COLLECTION" | "PAYOUT" | "REFUND";
        /**
         * Transaction method
         * @description How the money moves.
         * @example MOBILE_MONEY
         * @enum {string}
         */
        TransactionMethod: "MOBILE_MONEY" | "BANK";
        /**
         * Failure code
         * @description Why no money moved, for programs: one of `insufficient_funds`, `declined`, `expired`, `cancelled`, `limit_reached`, `account_not_found`, `account_blocked`, `not_allowed`, `handshake_unanswered`, `approval_refused`, `approval_expired`, `merchant_cancelled`, `no_float`, `operator_unreachable` and `operator_error`. Only with `FAILED` and `CANCELLED`, and absent when no code is known. Codes may be added: treat one that you do not know as if it were absent.
         * @example insufficient_funds
         */
        FailureCode: string;
        /**
         * Amount or zero
         * @description Amount of money in the main unit of the currency. Zero is possible.
         * @example 4950
         */
        AmountOrZero: number;
        /**
         * Payment
         * @description A payment, with the names of the merchants' contract.
         */
        Payment: {
            id: components["schemas"]["Id"];
            merchant_public_key: components["schemas"]["Text"];
            merchant_name: components["schemas"]["Text"];
            merchant_reference: components["schemas"]["Text"];
            internal_reference: components["schemas"]["Text"];
            transaction_type: components["schemas"]["Type"];
            /**
             * @description Malipo's reference of the collection that it refunds.
             * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
             */
            refund_of?: string;
            transaction_method: components["schemas"]["TransactionMethod"];
            transaction_status: components["schemas"]["CollectionStatus"];
            status_message: components["schemas"]["Text"];
            failure_code?: components["schemas"]["FailureCode"];
            provider_code: components["schemas"]["ProviderCode"];
            rail_account?: components["schemas"]["Text"];
            rail_order_id?: components["schemas"]["Text"];
            transaction_account: components["schemas"]["Text"];
            request_amount: components["schemas"]["AmountOrZero"];
            request_currency: components["schemas"]["Currency"];
            transaction_amount: components["schemas"]["AmountOrZero"];
            transaction_currency: components["schemas"]["Currency"];
            transaction_charge: components["schemas"]["AmountOrZero"];
            total_credit?: components["schemas"]["AmountOrZero"];
            total_debit?: components["schemas"]["AmountOrZero"];
            /**
             * @description Whether the customer bears the charge.
             * @example false
             */
            charge_customer: boolean;
            /**
             * @description Whether a late success may follow a failure.
             * @example false
             */
            allow_final_status_change: boolean;
            description: components["schemas"]["Text"];
            institution_name?: components["schemas"]["Text"];
            customer_name?: components["schemas"]["Text"];
            customer_email?: components["schemas"]["Text"];
            /**
             * @description Where the payment page leads.
             * @example https://shop.example/done
             */
            redirect_url?: string;
            created_at: components["schemas"]["Time"];
            final_at?: components["schemas"]["Time"];
            rail_paid_at?: components["schemas"]["Time"];
            /**
             * @description Only in a list of what is stuck. `rail`: a result; `result`: one that no order may be sent again for; `code`: its result code is in no table; `booking`: paid by the operator, and not booked.
             * @example rail
             * @enum {string}
             */
            waits_for?: "rail" | "result" | "code" | "booking";
            stuck_since?: components["schemas"]["Time"];
        };
        /**
         * Payment page
         * @description A page of payments.
         */
        PaymentPage: {
            /** @description The payments. */
            items: components["schemas"]["Payment"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Payment list reply
         * @description The reply with a page of payments.
         */
        PaymentListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["PaymentPage"];
        };
        /**
         * Operator reference
         * @description An id at the operator.
         */
        OperatorReference: {
            name: components["schemas"]["Text"];
            reference: components["schemas"]["Text"];
        };
        /**
         * Payment action
         * @description Something that can be done about a payment.
         */
        PaymentAction: {
            operation: components["schemas"]["Text"];
            /**
             * @description Whether the caller may.
             * @example true
             */
            allowed: boolean;
            /** @description The roles that may. */
            roles: components["schemas"]["Text"][];
        };
        /**
         * Refund of a collection
         * @description One refund.
         */
        RefundOfCollection: {
            merchant_reference: components["schemas"]["Text"];
            internal_reference: components["schemas"]["Text"];
            transaction_status: components["schemas"]["CollectionStatus"];
            request_amount: components["schemas"]["AmountOrZero"];
        };
        /**
         * Refunds of a payment
         * @description Of a completed collection, in its request currency.
         */
        RefundsOfPayment: {
            /** @description The oldest first. */
            items: components["schemas"]["RefundOfCollection"][];
            /**
             * @description With what is on its way.
             * @example 2000
             */
            refunded_amount: number;
            /**
             * @description What can still go back.
             * @example 3000
             */
            left_amount: number;
        };
        /**
         * Payment details
         * @description A payment, its ids at the operator, and what can be done.
         */
        PaymentDetails: {
            payment: components["schemas"]["Payment"];
            /** @description The operator's ids of it. */
            operator_references: components["schemas"]["OperatorReference"][];
            /** @description What can be done about it now. */
            actions: components["schemas"]["PaymentAction"][];
            refunds?: components["schemas"]["RefundsOfPayment"];
        };
        /**
         * Payment reply
         * @description The reply with a payment.
         */
        PaymentReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["PaymentDetails"];
        };
        /**
         * Long text
         * @description Text of any number of lines.
         * @example {"status":"SUCCESSFUL"}
         */
        LongText: string;
        /**
         * Timeline entry
         * @description An entry of the ledger.
         */
        TimelineEntry: {
            account: components["schemas"]["Text"];
            /**
             * @description Negative for a debit.
             * @example 4950
             */
            amount: number;
            currency: components["schemas"]["Currency"];
        };
        /**
         * Timeline event
         * @description An event or a booking.
         */
        TimelineEvent: {
            at: components["schemas"]["Time"];
            kind: components["schemas"]["Text"];
            detail: components["schemas"]["LongText"];
            /** @description What was booked where. */
            entries?: components["schemas"]["TimelineEntry"][];
        };
        /**
         * Callback status
         * @description `PENDING`: it waits for an attempt. `DELIVERED`: the merchant acknowledged it. `STOPPED`: no attempt follows.
         * @example DELIVERED
         * @enum {string}
         */
        CallbackStatus: "PENDING" | "DELIVERED" | "STOPPED";
        /**
         * Callback attempt
         * @description One attempt, and what came of it.
         */
        CallbackAttempt: {
            /**
             * Format: int32
             * @description Its number.
             * @example 1
             */
            attempt: number;
            at: components["schemas"]["Time"];
            /**
             * @description Where it went, masked.
             * @example https://shop.example/callbacks
             */
            url?: string;
            /**
             * Format: int32
             * @description In milliseconds.
             * @example 120
             */
            duration_ms: number;
            /**
             * Format: int32
             * @description Absent without a reply.
             * @example 500
             */
            http_status?: number;
            error?: components["schemas"]["LongText"];
            reply_excerpt?: components["schemas"]["LongText"];
        };
        /**
         * Callback
         * @description A callback to a merchant.
         */
        Callback: {
            id: components["schemas"]["Id"];
            webhook_id: components["schemas"]["Text"];
            event: components["schemas"]["Text"];
            status: components["schemas"]["CallbackStatus"];
            /**
             * Format: int32
             * @description How many were made.
             * @example 1
             */
            attempts: number;
            /**
             * @description Where attempts go, masked; empty where there is none.
             * @example https://shop.example/callbacks
             */
            url: string;
            /**
             * @description Whether it was never sent because there is no URL.
             * @example false
             */
            waits_for_url: boolean;
            created_at: components["schemas"]["Time"];
            finished_at?: components["schemas"]["Time"];
            next_attempt_at?: components["schemas"]["Time"];
            transaction_id: components["schemas"]["Id"];
            merchant_reference: components["schemas"]["Text"];
            internal_reference: components["schemas"]["Text"];
            merchant_id?: components["schemas"]["Id"];
            merchant_public_key: components["schemas"]["Text"];
            body?: components["schemas"]["LongText"];
            /** @description The oldest first. */
            attempts_made?: components["schemas"]["CallbackAttempt"][];
        };
        /**
         * Exchange
         * @description A call to the operator, or a message from it, masked.
         */
        Exchange: {
            at: components["schemas"]["Time"];
            rail_account: components["schemas"]["Text"];
            purpose: components["schemas"]["Text"];
            order_id?: components["schemas"]["Text"];
            method: components["schemas"]["Text"];
            path: components["schemas"]["LongText"];
            /**
             * Format: int32
             * @description In milliseconds.
             * @example 180
             */
            duration_ms: number;
            request: components["schemas"]["LongText"];
            /**
             * Format: int32
             * @description Absent without a reply.
             * @example 200
             */
            status?: number;
            reply?: components["schemas"]["LongText"];
            error?: components["schemas"]["LongText"];
        };
        /**
         * Timeline
         * @description The course of a payment.
         */
        Timeline: {
            /** @description The oldest first. */
            events: components["schemas"]["TimelineEvent"][];
            /** @description The newest first. */
            callbacks: components["schemas"]["Callback"][];
            /** @description The oldest first. */
            exchanges: components["schemas"]["Exchange"][];
        };
        /**
         * Timeline reply
         * @description The reply with the course of a payment.
         */
        TimelineReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Timeline"];
        };
        /**
         * Full payment reply
         * @description The reply with a payment and its customer.
         */
        FullPaymentReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Payment"];
        };
        /**
         * Decision that it completed
         * @description The money has moved.
         */
        CompletedDecision: {
            /**
             * @description Always `COMPLETED`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "COMPLETED";
            reason: components["schemas"]["Reason"];
        };
        /**
         * Decision that it failed
         * @description No money has moved; the merchant gets the message.
         */
        FailedDecision: {
            /**
             * @description Always `FAILED`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            status: "FAILED";
            message: components["schemas"]["StatusMessage"];
            /**
             * @description The same for programs, as the merchant gets it in `failure_code`.
             * @example expired
             * @enum {string}
             */
            code?: "insufficient_funds" | "declined" | "expired" | "cancelled" | "limit_reached" | "account_not_found" | "account_blocked" | "not_allowed" | "handshake_unanswered" | "approval_refused" | "approval_expired" | "merchant_cancelled" | "no_float" | "operator_unreachable" | "operator_error";
            reason: components["schemas"]["Reason"];
        };
        /**
         * Decision
         * @description What happened at the operator; `status` tells which.
         */
        Decision: components["schemas"]["CompletedDecision"] | components["schemas"]["FailedDecision"];
        /**
         * Merchant reference
         * @description Your own reference of the transaction. 8 to 36 characters: letters, digits and `. _ ~ -`. It is used once: a second request with the same reference is refused with 409.
         * @example ORDER-2026-0001
         */
        MerchantReference: string;
        /**
         * Refund of a payment
         * @description How much of a collection goes back, and why.
         */
        RefundOfPayment: {
            amount?: components["schemas"]["AmountText"];
            reference?: components["schemas"]["MerchantReference"];
            /**
             * Reason of a refund
             * @description Why money goes back, for the merchant and for the audit log.
             * @example One of two items returned
             */
            reason: string;
        };
        /**
         * Resend
         * @description Why it is sent again, where that is worth storing.
         */
        Resend: {
            reason?: components["schemas"]["Reason"];
        };
        /**
         * Callback page
         * @description A page of callbacks.
         */
        CallbackPage: {
            /** @description The callbacks. */
            items: components["schemas"]["Callback"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Callback list reply
         * @description The reply with a page of callbacks.
         */
        CallbackListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["CallbackPage"];
        };
        /**
         * Resend many
         * @description Which callbacks are sent again.
         */
        ResendMany: {
            /**
             * @description Its public key or id.
             * @example pub_sandbox_demo
             */
            merchant?: string;
            since: components["schemas"]["Time"];
            until?: components["schemas"]["Time"];
            status?: components["schemas"]["CallbackStatus"];
            after?: components["schemas"]["Id"];
            reason?: components["schemas"]["Reason"];
        };
        /**
         * Callback reply
         * @description The reply with a callback.
         */
        CallbackReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Callback"];
        };
        /**
         * Received header
         * @description A header of a received message.
         */
        ReceivedHeader: {
            name: components["schemas"]["Text"];
            value: components["schemas"]["LongText"];
        };
        /**
         * Check of a signature
         * @description Whether a signature is good, and what is wrong with it if not.
         */
        SignatureCheck: {
            /**
             * @description The header.
             * @example webhook-signature
             * @enum {string}
             */
            signature: "webhook-signature" | "hmac-signature" | "rsa-signature";
            /**
             * @description Whether it fits.
             * @example true
             */
            good: boolean;
            key?: components["schemas"]["Text"];
            why?: components["schemas"]["Text"];
        };
        /**
         * Received message
         * @description A message as it arrived, and whether its signatures are good. The customer's number and name are masked.
         */
        Received: {
            id: components["schemas"]["Id"];
            received_at: components["schemas"]["Time"];
            /**
             * @description What it is.
             * @example callback
             * @enum {string}
             */
            kind: "callback" | "handshake";
            request_line?: components["schemas"]["Text"];
            /** @description As they arrived. */
            headers: components["schemas"]["ReceivedHeader"][];
            body: components["schemas"]["LongText"];
            /**
             * Format: int32
             * @description The size of the body.
             * @example 612
             */
            body_bytes: number;
            /**
             * Format: int32
             * @description The status of the reply.
             * @example 200
             */
            answered: number;
            /**
             * Format: int32
             * @description How long the sender waited, in milliseconds; absent where that is not known.
             * @example 4
             */
            latency_ms?: number;
            /**
             * Format: int32
             * @description 2 where its webhook-id arrived for the second time.
             * @example 1
             */
            delivery: number;
            /** @description One for each signature. */
            checks: components["schemas"]["SignatureCheck"][];
            merchant_reference?: components["schemas"]["Text"];
        };
        /**
         * Received reply
         * @description The reply with a received message.
         */
        ReceivedReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Received"];
        };
        /**
         * Received messages
         * @description What a test receiver received.
         */
        ReceivedList: {
            /** @description The newest first. */
            items: components["schemas"]["Received"][];
        };
        /**
         * Received list reply
         * @description The reply with received messages.
         */
        ReceivedListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["ReceivedList"];
        };
        /**
         * Name of a rail account
         * @description The name of a connection to an operator.
         * @example mtn-uganda
         */
        RailName: string;
        /**
         * Setting of a kind
         * @description What a connection of this kind takes. `meaning` completes the sentence "It is …".
         */
        KnownSetting: {
            name: components["schemas"]["Text"];
            meaning: components["schemas"]["LongText"];
            is_secret: components["schemas"]["Flag"];
            is_required: components["schemas"]["Flag"];
            default?: components["schemas"]["LongText"];
        };
        /**
         * Kind of rail
         * @description An operator's protocol.
         */
        RailKind: {
            kind: components["schemas"]["RailName"];
            title: components["schemas"]["Text"];
            /**
             * @description The SHA-256 of the file that it came from, for a kind from outside Malipo.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            package_sha256?: string;
            /** @description In the order of the docs. */
            settings: components["schemas"]["KnownSetting"][];
        };
        /**
         * Kinds of rails
         * @description All kinds that this version knows.
         */
        RailKindList: {
            /** @description The kinds. */
            items: components["schemas"]["RailKind"][];
        };
        /**
         * Rail kinds reply
         * @description The reply with the kinds of rails.
         */
        RailKindListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["RailKindList"];
        };
        /**
         * Signed amount
         * @description Money in the main unit of the currency; it may be below zero.
         * @example 5000
         */
        SignedAmount: number;
        /**
         * Float
         * @description The balance that the operator reported last, and what our ledger had then. `difference` is without the balance from before Malipo; `unexplained` is what orders on their way do not explain. `available` is what the operator can still pay out for us, `low_below` the float below which people must act; both only where they are known.
         */
        RailFloat: {
            operator: components["schemas"]["SignedAmount"];
            ledger: components["schemas"]["SignedAmount"];
            difference: components["schemas"]["SignedAmount"];
            unexplained: components["schemas"]["SignedAmount"];
            unexplained_since?: components["schemas"]["Time"];
            available?: components["schemas"]["SignedAmount"];
            low_below?: components["schemas"]["SignedAmount"];
            /**
             * @description For how many days `available` lasts at the average spend of the last days.
             * @example 4.5
             */
            days_left?: number;
            read_at: components["schemas"]["Time"];
        };
        /**
         * Rail account
         * @description A connection to an operator.
         */
        RailAccount: {
            name: components["schemas"]["Text"];
            kind: components["schemas"]["Text"];
            title: components["schemas"]["Text"];
            /**
             * @description `production` moves real money, `trial` does not.
             * @example trial
             * @enum {string}
             */
            environment: "production" | "trial";
            currency: components["schemas"]["Currency"];
            base_url: components["schemas"]["Text"];
            /**
             * @description Whether a private address is allowed.
             * @example false
             */
            private_network: boolean;
            /** @description The providers that lead to it. */
            providers: components["schemas"]["ProviderCode"][];
            /** @description For which it has credentials. */
            transaction_types: components["schemas"]["TransactionType"][];
            open_orders: components["schemas"]["Id"];
            /**
             * @description `closed`: orders are sent. `open`: the operator does not answer, and orders wait. `half_open`: one order tries. Absent where it is not open and the process that answers cannot connect it; `fault` says why.
             * @example closed
             * @enum {string}
             */
            circuit?: "closed" | "open" | "half_open";
            circuit_since?: components["schemas"]["Time"];
            circuit_error?: components["schemas"]["LongText"];
            next_try_at?: components["schemas"]["Time"];
            /**
             * Format: int64
             * @description Payouts that wait because the operator has no float for them or does not answer, at most 1,000.
             * @example 0
             */
            waiting_payouts?: number;
            fault?: components["schemas"]["LongText"];
            down_since?: components["schemas"]["Time"];
            float?: components["schemas"]["RailFloat"];
            updated_at: components["schemas"]["Time"];
        };
        /**
         * Rail accounts
         * @description All connections to operators.
         */
        RailAccountList: {
            /** @description By name. */
            items: components["schemas"]["RailAccount"][];
        };
        /**
         * Rail account list reply
         * @description The reply with the rail accounts.
         */
        RailAccountListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["RailAccountList"];
        };
        /**
         * Setting to store
         * @description A setting by its name; of several lines where it is a certificate.
         */
        NewSetting: {
            /**
             * @description The name of the setting.
             * @example requests_per_second
             */
            name: string;
            value: components["schemas"]["LongText"];
        };
        /**
         * New rail account
         * @description A connection to an operator.
         */
        NewRailAccount: {
            rail_account: components["schemas"]["RailName"];
            kind: components["schemas"]["RailName"];
            currency: components["schemas"]["Currency"];
            base_url: components["schemas"]["Text"];
            /** @description Secrets included. */
            settings?: components["schemas"]["NewSetting"][];
            reason?: components["schemas"]["Reason"];
        };
        /**
         * Setting
         * @description A setting; a secret is only reported as set.
         */
        RailSetting: {
            name: components["schemas"]["Text"];
            value: components["schemas"]["LongText"];
        };
        /**
         * Past change of a rail account
         * @description What somebody changed.
         */
        RailChange: {
            at: components["schemas"]["Time"];
            by: components["schemas"]["Text"];
            what: components["schemas"]["LongText"];
        };
        /**
         * Drift
         * @description How replies of the operator differ from its contract, where nothing is decided by it.
         */
        Drift: {
            source: components["schemas"]["LongText"];
            field: components["schemas"]["LongText"];
            shape: components["schemas"]["LongText"];
            count: components["schemas"]["Count"];
            first_seen_at: components["schemas"]["Time"];
            last_seen_at: components["schemas"]["Time"];
        };
        /**
         * Rail account details
         * @description A connection with its settings, its changes and the drift of its operator.
         */
        RailAccountDetails: {
            rail_account: components["schemas"]["RailAccount"];
            /** @description In the order of the docs. */
            settings: components["schemas"]["RailSetting"][];
            /** @description The newest first. */
            changes: components["schemas"]["RailChange"][];
            /** @description The latest first. */
            drift: components["schemas"]["Drift"][];
        };
        /**
         * Rail account reply
         * @description The reply with a rail account.
         */
        RailAccountReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["RailAccountDetails"];
        };
        /**
         * Change of a rail account
         * @description What to change.
         */
        RailAccountChange: {
            base_url?: components["schemas"]["Text"];
            /** @description Secrets included. */
            settings?: components["schemas"]["NewSetting"][];
            /**
             * @description Derives the tokens in callback addresses from a new secret; open orders keep their addresses for 90 days.
             * @example true
             */
            new_token?: boolean;
            /**
             * @description The same, and ends the addresses of open orders at once, for a secret that leaked.
             * @example false
             */
            end_old_tokens?: boolean;
            reason: components["schemas"]["Reason"];
        };
        /**
         * Exchanges
         * @description Calls to an operator and messages from it.
         */
        ExchangeList: {
            /** @description The newest first. */
            items: components["schemas"]["Exchange"][];
        };
        /**
         * Exchange list reply
         * @description The reply with exchanges.
         */
        ExchangeListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["ExchangeList"];
        };
        /**
         * Check
         * @description What to check beside the credentials.
         */
        RailCheck: {
            /**
             * @description An account number to look up at the operator, in any spelling.
             * @example +256 772 000123
             */
            account?: string;
        };
        /**
         * Checked
         * @description One thing that was checked.
         */
        RailCheckRow: {
            what: components["schemas"]["Text"];
            /**
             * @description Whether it works.
             * @example true
             */
            ok: boolean;
            detail: components["schemas"]["LongText"];
        };
        /**
         * Result of a check
         * @description What was checked, and where the operator reports.
         */
        RailChecked: {
            /**
             * @description Whether all of it works.
             * @example true
             */
            ok: boolean;
            /** @description One row each. */
            checks: components["schemas"]["RailCheckRow"][];
            callback_url?: components["schemas"]["LongText"];
        };
        /**
         * Check reply
         * @description The reply with what was checked.
         */
        RailCheckReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["RailChecked"];
        };
        /**
         * Balance at the operator
         * @description The operator's balance and ours. Without `operator` it reports none in this currency; `open_in` and `open_out` are on their way.
         */
        RailBalance: {
            currency: components["schemas"]["Currency"];
            ledger: components["schemas"]["SignedAmount"];
            open_in: components["schemas"]["SignedAmount"];
            open_out: components["schemas"]["SignedAmount"];
            operator?: components["schemas"]["SignedAmount"];
            opening?: components["schemas"]["SignedAmount"];
            difference?: components["schemas"]["SignedAmount"];
            unexplained?: components["schemas"]["SignedAmount"];
        };
        /**
         * Balance reply
         * @description The reply with a comparison.
         */
        RailBalanceReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["RailBalance"];
        };
        /**
         * Direction
         * @description Whether money came to our account at the operator, or left it.
         * @example in
         * @enum {string}
         */
        Direction: "in" | "out";
        /**
         * Movement of our own
         * @description What was moved at the operator.
         */
        OwnMovement: {
            direction: components["schemas"]["Direction"];
            amount: components["schemas"]["AmountText"];
            reference: components["schemas"]["Reference"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Statement to import
         * @description A file of an operator.
         */
        NewStatement: {
            /**
             * @description Its name, for the list of imports.
             * @example day.csv
             */
            file: string;
            /**
             * @description Its bytes in base64, 4 MiB of them at most.
             * @example UmVmZXJlbmNlLFRpbWUsQW1vdW50Cg==
             */
            content: string;
            /**
             * @description Imports the rest of a file of which some lines cannot be read.
             * @example false
             */
            skip_unreadable?: boolean;
            /**
             * @description The account number that the file's statements have, where the connection has no `statement_account` yet: it is stored.
             * @example KE12000000003456
             */
            account?: string;
            reason?: components["schemas"]["Reason"];
        };
        /**
         * Passed over
         * @description Entries that moved no money.
         */
        PassedOver: {
            reason: components["schemas"]["LongText"];
            count: components["schemas"]["Count"];
        };
        /**
         * Statements of another account
         * @description Of an account by its last characters.
         */
        OtherStatements: {
            account: components["schemas"]["Text"];
            statements: components["schemas"]["Count"];
        };
        /**
         * Unreadable line
         * @description What is wrong with a line.
         */
        Unreadable: {
            fault: components["schemas"]["LongText"];
        };
        /**
         * What an import brought
         * @description Lines of the file and what became of them. `unclear`, `maybe_repeated` and `reversals` become differences; `passed_over` moved no money; `skipped` could not be read.
         */
        Imported: {
            rail_account: components["schemas"]["RailName"];
            form: components["schemas"]["Text"];
            lines: components["schemas"]["Count"];
            new_lines: components["schemas"]["Count"];
            unclear: components["schemas"]["Count"];
            maybe_repeated: components["schemas"]["Count"];
            reversals: components["schemas"]["Count"];
            reported_fees: components["schemas"]["Count"];
            skipped: components["schemas"]["Count"];
            /** @description By reason. */
            passed_over: components["schemas"]["PassedOver"][];
            /** @description Of others. */
            skipped_statements: components["schemas"]["OtherStatements"][];
            /** @description The first of them. */
            unreadable: components["schemas"]["Unreadable"][];
            first_at?: components["schemas"]["Time"];
            last_at?: components["schemas"]["Time"];
            imported_before?: components["schemas"]["Time"];
        };
        /**
         * Import reply
         * @description The reply with what an import brought.
         */
        ImportedReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Imported"];
        };
        /**
         * Statement to pull
         * @description From when.
         */
        StatementPull: {
            since: components["schemas"]["Time"];
            reason?: components["schemas"]["Reason"];
        };
        /**
         * Run of a reconciliation
         * @description Up to when the statements are complete; absent, up to their last line.
         */
        RunRequest: {
            until?: components["schemas"]["Time"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Result of a run
         * @description What a run has found, in the period for which the statements are complete.
         */
        RunResult: {
            /**
             * State of a run
             * @description Whether it has ended. The rest comes with its end.
             * @example done
             * @enum {string}
             */
            state: "running" | "done";
            complete_from?: components["schemas"]["Time"];
            complete_until?: components["schemas"]["Time"];
            currency?: components["schemas"]["Currency"];
            settled_lines?: components["schemas"]["Count"];
            waiting_lines?: components["schemas"]["Count"];
            completed_orders?: components["schemas"]["Count"];
            fees?: components["schemas"]["SignedAmount"];
            opened?: components["schemas"]["Count"];
            ended?: components["schemas"]["Count"];
        };
        /**
         * Run reply
         * @description The reply with what a run has found.
         */
        RunReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["RunResult"];
        };
        /**
         * Kind of a difference
         * @description `missing_at_operator`: booked here, and not on the statement. `missing_with_us`: on the statement, and not booked here. `amount_differs`, `fee_differs`: both have it, with other values. `duplicate`: the operator has moved the money of a payment more than once. `late`: booked later than the window allows. `unclear`: an entry that can be read only in part. `maybe_repeated`: a line that another statement has too.
         * @example missing_with_us
         * @enum {string}
         */
        ExceptionKind: "missing_at_operator" | "missing_with_us" | "amount_differs" | "fee_differs" | "duplicate" | "late" | "unclear" | "maybe_repeated";
        /**
         * Member of staff
         * @description A member of staff by e-mail address, or `me`.
         * @example amina@example.com
         */
        PersonName: string;
        /**
         * Difference
         * @description A difference. `suspense` is what waits on the suspense account; negative if money is missing.
         */
        Exception: {
            id: components["schemas"]["Id"];
            rail_account: components["schemas"]["Text"];
            kind: components["schemas"]["ExceptionKind"];
            direction?: components["schemas"]["Direction"];
            currency: components["schemas"]["Currency"];
            expected?: components["schemas"]["SignedAmount"];
            found?: components["schemas"]["SignedAmount"];
            suspense: components["schemas"]["SignedAmount"];
            line_reference?: components["schemas"]["Text"];
            booked_at?: components["schemas"]["Time"];
            entry?: components["schemas"]["LongText"];
            merchant_reference?: components["schemas"]["Text"];
            internal_reference?: components["schemas"]["Text"];
            transaction_status?: components["schemas"]["Text"];
            assigned_to?: components["schemas"]["Text"];
            opened_at: components["schemas"]["Time"];
            ended_at?: components["schemas"]["Time"];
            ended_by?: components["schemas"]["Text"];
            reason?: components["schemas"]["LongText"];
            moved_to?: components["schemas"]["Text"];
            takes_back?: components["schemas"]["Id"];
        };
        /**
         * Difference page
         * @description A page of differences.
         */
        ExceptionPage: {
            /** @description The differences. */
            items: components["schemas"]["Exception"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Difference list reply
         * @description The reply with a page of differences.
         */
        ExceptionListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["ExceptionPage"];
        };
        /**
         * Our payment
         * @description The payment as it is booked here.
         */
        OurSide: {
            transaction_type: components["schemas"]["Text"];
            amount: components["schemas"]["SignedAmount"];
            charge: components["schemas"]["SignedAmount"];
            provider_code: components["schemas"]["Text"];
            merchant_name: components["schemas"]["Text"];
            merchant_public_key: components["schemas"]["Text"];
            status_message: components["schemas"]["Text"];
            created_at: components["schemas"]["Time"];
            final_at?: components["schemas"]["Time"];
        };
        /**
         * The operator's line
         * @description The line of the statement.
         */
        TheirSide: {
            direction?: components["schemas"]["Direction"];
            amount?: components["schemas"]["SignedAmount"];
            fee: components["schemas"]["SignedAmount"];
            expected_fee?: components["schemas"]["SignedAmount"];
            our_reference?: components["schemas"]["Text"];
            line_number: components["schemas"]["Id"];
            import_id: components["schemas"]["Id"];
            import_name: components["schemas"]["Text"];
            imported_at?: components["schemas"]["Time"];
        };
        /**
         * Note
         * @description What somebody wrote down.
         */
        ExceptionNote: {
            at: components["schemas"]["Time"];
            author: components["schemas"]["Text"];
            note: components["schemas"]["Text"];
        };
        /**
         * Difference details
         * @description A difference with what each side says; a side that has nothing is absent.
         */
        ExceptionDetails: {
            exception: components["schemas"]["Exception"];
            ours?: components["schemas"]["OurSide"];
            theirs?: components["schemas"]["TheirSide"];
            /** @description The oldest first. */
            notes: components["schemas"]["ExceptionNote"][];
        };
        /**
         * Difference reply
         * @description The reply with a difference.
         */
        ExceptionReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["ExceptionDetails"];
        };
        /**
         * New note
         * @description One line for whoever looks into it next. It is stored for good, so it must hold no secret.
         */
        NewNote: {
            /**
             * @description The note.
             * @example Asked MTN, ticket 88213
             */
            note: string;
        };
        /**
         * Assignment
         * @description Who looks into it; absent, nobody.
         */
        Assignment: {
            to?: components["schemas"]["PersonName"];
        };
        /**
         * End of a difference
         * @description Why it ends, and where its money goes.
         */
        ExceptionEnd: {
            reason: components["schemas"]["Reason"];
            /**
             * @description `fee`: it was, or saves, a cost. `outside`: a top-up, a settlement, something given back. Absent: the money stays on the suspense account.
             * @example outside
             * @enum {string}
             */
            move_to?: "fee" | "outside";
            /**
             * @description Of `maybe_repeated` only - money has moved twice, and the next run judges the line.
             * @example false
             */
            second_movement?: boolean;
        };
        /**
         * What an unconfirmed payment waits for
         * @description Who can still confirm it.
         * @example operator
         * @enum {string}
         */
        ClaimWait: "operator" | "statement";
        /**
         * Unconfirmed payment
         * @description A payment as a message tells it. `waits_for`: the `operator`, which is still asked, or a `statement`.
         */
        Claim: {
            rail_account: components["schemas"]["Text"];
            receipt: components["schemas"]["Text"];
            amount: components["schemas"]["SignedAmount"];
            currency: components["schemas"]["Currency"];
            payer?: components["schemas"]["Text"];
            reference?: components["schemas"]["Text"];
            paid_at: components["schemas"]["Time"];
            claimed_at: components["schemas"]["Time"];
            age_seconds: components["schemas"]["Seconds"];
            waits_for: components["schemas"]["ClaimWait"];
        };
        /**
         * Claim page
         * @description A page of payments that nobody has confirmed.
         */
        ClaimPage: {
            /** @description The payments. */
            items: components["schemas"]["Claim"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Claim list reply
         * @description The reply with a page of payments that nobody has confirmed.
         */
        ClaimListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["ClaimPage"];
        };
        /**
         * Suspense item
         * @description Money that belongs to a customer, and what it came for.
         */
        SuspenseItem: {
            reference: components["schemas"]["Text"];
            /**
             * Suspense kind
             * @description `paid_again`: a further attempt at a collection that was paid already or has ended.
             * @example paid_again
             * @enum {string}
             */
            kind: "paid_again";
            amount: components["schemas"]["SignedAmount"];
            currency: components["schemas"]["Currency"];
            provider_code: components["schemas"]["ProviderCode"];
            rail_account?: components["schemas"]["RailName"];
            transaction_account: components["schemas"]["Text"];
            paid_at: components["schemas"]["Time"];
            merchant_name: components["schemas"]["Text"];
            merchant_public_key: components["schemas"]["Text"];
            merchant_reference: components["schemas"]["Text"];
            collection_reference: components["schemas"]["Text"];
            collection_status: components["schemas"]["Text"];
            return_reference?: components["schemas"]["Text"];
            return_status?: components["schemas"]["Text"];
        };
        /**
         * Suspense page
         * @description A page of money on suspense.
         */
        SuspensePage: {
            /** @description What lies there. */
            items: components["schemas"]["SuspenseItem"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Suspense list reply
         * @description The reply with a page of money on suspense.
         */
        SuspenseListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["SuspensePage"];
        };
        /**
         * Take suspense request
         * @description The collection that the money was meant for.
         */
        TakeSuspenseRequest: {
            /**
             * @description The collection, by any of its references or its id.
             * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9C
             */
            collection: components["schemas"]["Reference"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Imported statement
         * @description A file, or what was pulled; `by hand` is a movement that staff booked.
         */
        StatementImport: {
            id: components["schemas"]["Id"];
            rail_account: components["schemas"]["Text"];
            form: components["schemas"]["Text"];
            name: components["schemas"]["Text"];
            imported_at: components["schemas"]["Time"];
            lines: components["schemas"]["Id"];
            new_lines: components["schemas"]["Id"];
            passed_over: components["schemas"]["Id"];
            skipped: components["schemas"]["Id"];
            first_at?: components["schemas"]["Time"];
            last_at?: components["schemas"]["Time"];
        };
        /**
         * Statement page
         * @description A page of imports.
         */
        StatementPage: {
            /** @description The imports. */
            items: components["schemas"]["StatementImport"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Statement list reply
         * @description The reply with a page of imports.
         */
        StatementListReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["StatementPage"];
        };
        /**
         * Sum of money
         * @description In the main unit of the currency; below zero where more went out than came in.
         * @example 4055000
         */
        Sum: number;
        /**
         * Sum of payments
         * @description A group; it has the fields that it is grouped by.
         */
        Volume: {
            /**
             * @description In UTC.
             * @example 2026-11-20
             */
            day?: string;
            provider_code?: components["schemas"]["ProviderCode"];
            merchant_public_key?: components["schemas"]["Text"];
            merchant_name?: components["schemas"]["Text"];
            transaction_type?: components["schemas"]["Type"];
            transaction_status?: components["schemas"]["CollectionStatus"];
            currency: components["schemas"]["Currency"];
            payments: components["schemas"]["Count"];
            amount: components["schemas"]["Sum"];
            charge: components["schemas"]["Sum"];
        };
        /**
         * Sums of payments
         * @description The period, and the sums of its groups.
         */
        Volumes: {
            since: components["schemas"]["Time"];
            until: components["schemas"]["Time"];
            /** @description In the order of the groups. */
            items: components["schemas"]["Volume"][];
        };
        /**
         * Volume reply
         * @description The reply with sums of payments.
         */
        VolumeReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Volumes"];
        };
        /**
         * Balance of a merchant
         * @description What a wallet of a merchant holds.
         */
        MerchantBalance: {
            merchant_public_key: components["schemas"]["Text"];
            merchant_name: components["schemas"]["Text"];
            wallet: components["schemas"]["WalletPurpose"];
            currency: components["schemas"]["Currency"];
            available: components["schemas"]["Sum"];
            uncleared: components["schemas"]["Sum"];
            reserve: components["schemas"]["Sum"];
            held: components["schemas"]["Sum"];
        };
        /**
         * Sum of wallets
         * @description What all merchants hold in such wallets.
         */
        WalletTotal: {
            wallet: components["schemas"]["WalletPurpose"];
            currency: components["schemas"]["Currency"];
            available: components["schemas"]["Sum"];
            uncleared: components["schemas"]["Sum"];
            reserve: components["schemas"]["Sum"];
            held: components["schemas"]["Sum"];
        };
        /**
         * Balance page
         * @description Wallets of a page of merchants, and the sums of all merchants.
         */
        BalancePage: {
            /** @description By merchant. */
            items: components["schemas"]["MerchantBalance"][];
            /** @description Of all merchants. */
            totals: components["schemas"]["WalletTotal"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Balances reply
         * @description The reply with balances.
         */
        BalancesReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["BalancePage"];
        };
        /**
         * Movements of one kind
         * @description How many there were, and what they moved.
         */
        StatementMovement: {
            kind: components["schemas"]["Text"];
            count: components["schemas"]["Count"];
            amount: components["schemas"]["Sum"];
        };
        /**
         * Statement of a wallet
         * @description Opening, movements and closing; the opening and the movements add up to the closing.
         */
        WalletStatement: {
            wallet: components["schemas"]["WalletPurpose"];
            currency: components["schemas"]["Currency"];
            opening_balance: components["schemas"]["Sum"];
            /** @description By kind. */
            movements: components["schemas"]["StatementMovement"][];
            closing_balance: components["schemas"]["Sum"];
        };
        /**
         * Monthly statement
         * @description The wallets of a merchant in a month.
         */
        MonthlyStatement: {
            merchant_public_key: components["schemas"]["Text"];
            merchant_name: components["schemas"]["Text"];
            month: components["schemas"]["Text"];
            /** @description By currency. */
            wallets: components["schemas"]["WalletStatement"][];
        };
        /**
         * Statement reply
         * @description The reply with a statement.
         */
        StatementReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["MonthlyStatement"];
        };
        /**
         * E-mail address
         * @description The address of a person; no mail is sent.
         * @example amina@malipo.example
         */
        Email: string;
        /**
         * Role
         * @description What a person may do. Staff have no owner, people of a merchant no admin and no support.
         * @example finance
         * @enum {string}
         */
        PersonRole: "admin" | "owner" | "finance" | "support" | "developer" | "read-only";
        /**
         * Person
         * @description A member of staff, or a person of a merchant.
         */
        Person: {
            id: components["schemas"]["Id"];
            email: components["schemas"]["Email"];
            name: components["schemas"]["Text"];
            role: components["schemas"]["PersonRole"];
            merchant_id?: components["schemas"]["Id"];
            created_at: components["schemas"]["Time"];
            ended_at?: components["schemas"]["Time"];
        };
        /**
         * Page of people
         * @description People, and where the next page begins.
         */
        PeoplePage: {
            /** @description The people. */
            items: components["schemas"]["Person"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * People
         * @description A page of people.
         */
        PeopleReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["PeoplePage"];
        };
        /**
         * Invitation
         * @description Somebody who gets access.
         */
        Invite: {
            email: components["schemas"]["Email"];
            /**
             * Name
             * @description The name, as the audit log shows it.
             * @example Amina
             */
            name: string;
            role: components["schemas"]["PersonRole"];
            /**
             * Merchant
             * @description A person of this merchant, by its public key or its id; staff without it.
             * @example pub_sandbox_demo
             */
            merchant?: string;
            reason: components["schemas"]["Reason"];
        };
        /**
         * Person reply
         * @description One person.
         */
        PersonReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Person"];
        };
        /**
         * New role
         * @description Another role for a person.
         */
        NewRole: {
            role: components["schemas"]["PersonRole"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * What a rule covers
         * @description What waits for a second person.
         * @example payouts
         * @enum {string}
         */
        ApprovalOperation: "payouts" | "manual-resolution" | "deposits" | "transfers" | "rates" | "limits" | "suspensions" | "resumptions" | "keys" | "rail-settings" | "roles" | "urls" | "rules";
        /**
         * Digest
         * @description Identifies exactly what the approver has read.
         * @example 3f5a0c0d6b4e8f7a9b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a
         */
        Digest: string;
        /**
         * Value of a request
         * @description One value that the maker gave.
         */
        InputValue: {
            name: components["schemas"]["Text"];
            value: components["schemas"]["Text"];
        };
        /**
         * Changed value
         * @description A value before and after; absent where there was or is none.
         */
        ChangedValue: {
            name: components["schemas"]["Text"];
            old?: components["schemas"]["LongText"];
            new?: components["schemas"]["LongText"];
        };
        /**
         * Internal reference
         * @description Malipo's reference of the transaction: `MLP` and 22 characters of Crockford's base32. The first six tell the time, the other 16 (80 bits) come from a secure random source. Whoever knows the one of a collection may open its payment page, so treat it as a secret between you and the customer.
         * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
         */
        InternalReference: string;
        /**
         * Payout that waits
         * @description The order that goes out when it is approved.
         */
        WaitingPayout: {
            internal_reference: components["schemas"]["InternalReference"];
            merchant_reference: components["schemas"]["MerchantReference"];
            provider_code: components["schemas"]["ProviderCode"];
            account: components["schemas"]["Text"];
            customer_name?: components["schemas"]["Text"];
            amount: components["schemas"]["AmountText"];
            total: components["schemas"]["AmountText"];
            currency: components["schemas"]["Currency"];
        };
        /**
         * Batch that waits
         * @description The payouts of a batch in one currency, which one decision is about.
         */
        WaitingBatch: {
            batch_reference: components["schemas"]["BatchReference"];
            payouts: components["schemas"]["Count"];
            amount: components["schemas"]["AmountText"];
            total: components["schemas"]["AmountText"];
            currency: components["schemas"]["Currency"];
        };
        /**
         * Request
         * @description A payout or a change by staff that a second person decides about.
         */
        Approval: {
            id: components["schemas"]["Id"];
            operation: components["schemas"]["ApprovalOperation"];
            what: components["schemas"]["Text"];
            /**
             * State
             * @description What became of it. `lapsed` means that its maker has left, or staff ended the payout.
             * @example waiting
             * @enum {string}
             */
            state: "waiting" | "approved" | "refused" | "expired" | "lapsed";
            merchant_id?: components["schemas"]["Id"];
            maker: components["schemas"]["Text"];
            requested_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"];
            decided_at?: components["schemas"]["Time"];
            decider?: components["schemas"]["Text"];
            digest?: components["schemas"]["Digest"];
            reason?: components["schemas"]["Text"];
            /** @description What its maker asked for. */
            input?: components["schemas"]["InputValue"][];
            /** @description What it would change, as it was when the request was made. */
            changes?: components["schemas"]["ChangedValue"][];
            payout?: components["schemas"]["WaitingPayout"];
            batch?: components["schemas"]["WaitingBatch"];
            cannot_approve?: components["schemas"]["Text"];
            cannot_refuse?: components["schemas"]["Text"];
        };
        /**
         * Page of requests
         * @description Requests, and where the next page begins.
         */
        ApprovalsPage: {
            /** @description The requests. */
            items: components["schemas"]["Approval"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Requests for approval
         * @description A page of requests.
         */
        ApprovalsReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["ApprovalsPage"];
        };
        /**
         * Request for approval
         * @description One request.
         */
        ApprovalReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Approval"];
        };
        /**
         * Decision about a request
         * @description A decision about what was read.
         */
        ApprovalDecision: {
            digest: components["schemas"]["Digest"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Four-eyes rule
         * @description What waits, and who approves it. Without a merchant it covers all, without an amount every amount.
         */
        ApprovalRule: {
            operation: components["schemas"]["ApprovalOperation"];
            merchant_id?: components["schemas"]["Id"];
            currency?: components["schemas"]["Currency"];
            from_amount?: components["schemas"]["AmountText"];
            /** @description The roles that approve it. */
            approvers: components["schemas"]["Text"][];
        };
        /**
         * Rules
         * @description All rules.
         */
        ApprovalRules: {
            /** @description The rules. */
            items: components["schemas"]["ApprovalRule"][];
        };
        /**
         * Four-eyes rules
         * @description The rules.
         */
        ApprovalRulesReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["ApprovalRules"];
        };
        /**
         * New four-eyes rule
         * @description What waits from now on. The currency and the amount go together.
         */
        NewApprovalRule: {
            operation: components["schemas"]["ApprovalOperation"];
            /**
             * Merchant
             * @description Only of this merchant, by its public key or its id; of all merchants without it.
             * @example pub_sandbox_demo
             */
            merchant?: string;
            currency?: components["schemas"]["Currency"];
            from_amount?: components["schemas"]["AmountText"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Rule to remove
         * @description Names one rule by what it covers.
         */
        FormerApprovalRule: {
            operation: components["schemas"]["ApprovalOperation"];
            /**
             * Merchant
             * @description Only of this merchant, by its public key or its id; of all merchants without it.
             * @example pub_sandbox_demo
             */
            merchant?: string;
            currency?: components["schemas"]["Currency"];
            reason: components["schemas"]["Reason"];
        };
        /**
         * Entry
         * @description What somebody did, and why. `break_glass` means without a login, in an emergency.
         */
        AuditEntry: {
            id: components["schemas"]["Id"];
            at: components["schemas"]["Time"];
            actor: components["schemas"]["Text"];
            /**
             * Kind of actor
             * @description Who acted. `api` is a merchant's own program, by its keys.
             * @example staff
             * @enum {string}
             */
            actor_kind: "staff" | "merchant" | "os_user" | "break_glass" | "api";
            role?: components["schemas"]["Text"];
            person_id?: components["schemas"]["Id"];
            address?: components["schemas"]["Text"];
            command: components["schemas"]["Text"];
            subject: components["schemas"]["Text"];
            merchant_id?: components["schemas"]["Id"];
            reason?: components["schemas"]["Text"];
            reference?: components["schemas"]["Text"];
            request_id?: components["schemas"]["Text"];
            /** @description The values that differ. */
            changes: components["schemas"]["ChangedValue"][];
            link?: components["schemas"]["Id"];
        };
        /**
         * Page of entries
         * @description Entries, and where the next page begins.
         */
        AuditPage: {
            /** @description The entries. */
            items: components["schemas"]["AuditEntry"][];
            next?: components["schemas"]["Next"];
        };
        /**
         * Audit log
         * @description A page of entries.
         */
        AuditReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["AuditPage"];
        };
        /**
         * Result
         * @description What differs, and the head of the chain.
         */
        AuditVerification: {
            /**
             * @description Whether every entry is as it was written.
             * @example true
             */
            intact: boolean;
            /** @description The first differences. */
            faults: components["schemas"]["Text"][];
            head?: components["schemas"]["Text"];
        };
        /**
         * Verification of the audit log
         * @description Whether the log is as it was written.
         */
        AuditVerificationReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["AuditVerification"];
        };
        /**
         * Entry of the audit log
         * @description One entry.
         */
        AuditEntryReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["AuditEntry"];
        };
        /**
         * Finding
         * @description A rule, and what breaks it.
         */
        Finding: {
            name: components["schemas"]["Text"];
            rule: components["schemas"]["LongText"];
            found: components["schemas"]["Count"];
            /** @description The first rows that break it. */
            examples: components["schemas"]["LongText"][];
        };
        /**
         * Examination
         * @description All checks. Only what has changed since the last clean run was checked, if `since` says when that was.
         */
        Examination: {
            /**
             * @description Whether every rule holds.
             * @example true
             */
            clean: boolean;
            checked_at: components["schemas"]["Time"];
            since?: components["schemas"]["Time"];
            /** @description The rules, in the order of the command. */
            checks: components["schemas"]["Finding"][];
            /** @description No faults yet, but what makes a fault more likely. */
            warnings: components["schemas"]["LongText"][];
        };
        /**
         * Doctor
         * @description What holds, and what does not.
         */
        DoctorReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Examination"];
        };
        /**
         * Date
         * Format: date
         * @description A day in UTC.
         * @example 2026-11-20
         */
        Date: string;
        /**
         * Volume
         * @description Payments of one type and currency.
         */
        TodayVolume: {
            /**
             * Type
             * @description Money in, out or back.
             * @example COLLECTION
             * @enum {string}
             */
            transaction_type: "COLLECTION" | "PAYOUT" | "REFUND";
            currency: components["schemas"]["Currency"];
            completed_amount: components["schemas"]["AmountText"];
            completed: components["schemas"]["Count"];
            payments: components["schemas"]["Count"];
        };
        /**
         * Day
         * @description The payments that were accepted on one day.
         */
        DayFigures: {
            date: components["schemas"]["Date"];
            completed: components["schemas"]["Count"];
            failed: components["schemas"]["Count"];
            open: components["schemas"]["Count"];
        };
        /**
         * Success of a provider
         * @description How many payments completed and failed.
         */
        ProviderFigures: {
            provider_code: components["schemas"]["ProviderCode"];
            completed: components["schemas"]["Count"];
            failed: components["schemas"]["Count"];
        };
        /**
         * What needs a person
         * @description How many of a kind.
         */
        Attention: {
            /**
             * Kind
             * @description `unknown_outcomes` and `stuck_payments` wait for a result, `paid_not_booked` were paid by their rail and are not booked, `quarantined_jobs` fail repeatedly, `failing_callbacks` wait for another attempt, `unexplained_balances` are rail accounts whose balance differs from the books, `open_circuits` are operators that do not answer, `low_floats` are operators that hold too little for payouts, `open_exceptions` are differences of a reconciliation, `on_suspense` is what customers have paid again, `approvals` wait for a second person.
             * @example approvals
             * @enum {string}
             */
            kind: "unknown_outcomes" | "stuck_payments" | "paid_not_booked" | "quarantined_jobs" | "failing_callbacks" | "unexplained_balances" | "open_circuits" | "low_floats" | "open_exceptions" | "on_suspense" | "approvals";
            count: components["schemas"]["Count"];
            /**
             * @description Whether there are more than were counted.
             * @example false
             */
            is_more: boolean;
        };
        /**
         * Figures
         * @description Volumes, success and what needs a person.
         */
        Today: {
            date: components["schemas"]["Date"];
            /** @description What was accepted today, by type and currency. */
            volumes: components["schemas"]["TodayVolume"][];
            /** @description The last 14 days, the oldest first. A day that takes too long to count is absent. */
            days: components["schemas"]["DayFigures"][];
            /** @description What ended of the payments of today and yesterday, by provider. */
            providers: components["schemas"]["ProviderFigures"][];
            /** @description What needs a person; what needs none is absent. */
            attention: components["schemas"]["Attention"][];
        };
        /**
         * Today
         * @description The figures of today.
         */
        TodayReply: {
            code: components["schemas"]["Code200"];
            status: components["schemas"]["Success"];
            message: components["schemas"]["StatusMessage"];
            data: components["schemas"]["Today"];
        };
    };
    responses: {
        /** @description The request does not match the contract, or names what cannot be. */
        Invalid: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The token is missing, wrong or ended. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The role of the person may not do it. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description Too many requests of this person or address; wait for `Retry-After`. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description A fault of Malipo. Try again, a POST with the same `Idempotency-Key`. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description Malipo cannot answer now. Wait as `Retry-After` says. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["XContentTypeOptions"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description There is nothing by this name, or none that you may see. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description A second person must approve it. */
        Waits: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WaitsReply"];
            };
        };
        /** @description It cannot be done in the present state; nothing was changed. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The body is larger than 65,536 bytes; of an import, than 6 MiB. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The body is not declared as JSON. */
        NotJson: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description It was done, or had been done before by the same request. */
        Done: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DoneReply"];
            };
        };
    };
    parameters: {
        /**
         * @description What to look for.
         * @example duka
         */
        Search: string;
        /**
         * @description The `next` of the previous page.
         * @example 914235261452496
         */
        After: string;
        /**
         * @description At most this many rows, 50 by default.
         * @example 50
         */
        Limit: number;
        /**
         * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
         * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
         */
        IdempotencyKey: string;
        /**
         * @description The merchant, by its public key or its id.
         * @example pub_sandbox_demo
         */
        MerchantInPath: string;
        /**
         * @description The id of the RSA key.
         * @example 0f3b7a61c2d94e58
         */
        RsaKeyInPath: components["schemas"]["RsaId"];
        /**
         * @description The code of the provider.
         * @example mtn_ug
         */
        ProviderInPath: components["schemas"]["ProviderCode"];
        /**
         * @description The payment, by any of its references or its id.
         * @example ORDER-2026-0001
         */
        PaymentInPath: string;
        /**
         * @description The connection to an operator, by its name.
         * @example mtn-uganda
         */
        RailAccountInPath: components["schemas"]["RailName"];
        /**
         * @description The id of the person.
         * @example 4
         */
        PersonInPath: components["schemas"]["Id"];
    };
    requestBodies: {
        WithReason: {
            content: {
                "application/json": components["schemas"]["ReasonOnly"];
            };
        };
    };
    headers: {
        /**
         * @description Identifier of this request. Quote it when you ask about it.
         * @example 4e131ce3-fe77-445a-b4ba-fa8047e45b24
         */
        XRequestId: string;
        /**
         * @description How to say who you are.
         * @example Bearer realm="malipo"
         */
        Challenge: string;
        /**
         * @description Seconds to wait before the next try.
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description `no-store`: replies hold names, accounts and amounts, so no cache keeps them.
         * @example no-store
         */
        CacheControl: "no-store";
        /**
         * @description `nosniff`: a browser takes the reply for the JSON that it is, and for nothing else.
         * @example nosniff
         */
        XContentTypeOptions: "nosniff";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person of the token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMerchants: {
        parameters: {
            query?: {
                /**
                 * @description What to look for.
                 * @example duka
                 */
                q?: components["parameters"]["Search"];
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of merchants. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMerchant: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMerchant"];
            };
        };
        responses: {
            /** @description The merchant and its keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewMerchantKeysReply"];
                };
            };
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The merchant. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMerchant: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MerchantChange"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The views of the caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewsReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedView"];
            };
        };
        responses: {
            /** @description The views of the caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewsReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    suspendMerchant: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeMerchant: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    brandMerchant: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrandChange"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTerms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its own terms. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermsListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setLimits: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Limits"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeLimits: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TermsOption"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setCharges: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Charges"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeCharges: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TermsOption"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showWallets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its wallets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletsReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    depositToWallet: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Deposit"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    transferBetweenWallets: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletTransfer"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPayoutBatches: {
        parameters: {
            query?: {
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of batches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendPayoutBatch: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutFile"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewPayoutBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutFile"];
            };
        };
        responses: {
            /** @description What would happen. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showPayoutBatch: {
        parameters: {
            query?: {
                /**
                 * @description Only payouts behind this line, as `next` of the previous page has it.
                 * @example 51
                 */
                after?: number;
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
                /**
                 * @description The batch, by its reference.
                 * @example SALARIES-2026-03
                 */
                batch: components["schemas"]["BatchReference"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryPayoutBatch: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
                /**
                 * @description The batch, by its reference.
                 * @example SALARIES-2026-03
                 */
                batch: components["schemas"]["BatchReference"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyRotation"];
            };
        };
        responses: {
            /** @description The new key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedKeyReply"];
                };
            };
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRsaKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The RSA keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RsaKeyListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateRsaKey: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            /** @description The new RSA key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedRsaKeyReply"];
                };
            };
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawRsaKey: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the RSA key.
                 * @example 0f3b7a61c2d94e58
                 */
                key: components["parameters"]["RsaKeyInPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            /** @description The key is withdrawn. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawnRsaKeyReply"];
                };
            };
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The options. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addProvider: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProvider"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setProvider: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The code of the provider.
                 * @example mtn_ug
                 */
                provider: components["parameters"]["ProviderInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderChange"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rates. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setRate: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RateChange"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /**
                 * @description What somebody knows of the payment.
                 * @example 0772 000 123
                 */
                q?: string;
                /**
                 * @description Only payments with this status.
                 * @example FAILED
                 */
                status?: components["schemas"]["CollectionStatus"];
                /**
                 * @description Only collections, only payouts, or only refunds.
                 * @example PAYOUT
                 */
                type?: components["schemas"]["Type"];
                /**
                 * @description Only payments by this provider.
                 * @example mtn_ug
                 */
                provider?: components["schemas"]["ProviderCode"];
                /**
                 * @description Only payments of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
                /**
                 * @description Only payments that were accepted at this moment or later.
                 * @example 2026-11-01T00:00:00Z
                 */
                since?: components["schemas"]["Time"];
                /**
                 * @description Only payments that were accepted before this moment.
                 * @example 2026-12-01T00:00:00Z
                 */
                until?: components["schemas"]["Time"];
                /**
                 * @description Only payments of this amount, in any currency or in the one that it names.
                 * @example 5,000 UGX
                 */
                amount?: string;
                /**
                 * @description Only what needs a person: PROCESSING for more than 10 minutes or with a result code that no table explains, or paid by the operator and not booked. Goes with `merchant`, `after` and `limit` only.
                 * @example false
                 */
                stuck?: boolean;
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payments. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportPayments: {
        parameters: {
            query?: {
                /**
                 * @description What somebody knows of the payment.
                 * @example 0772 000 123
                 */
                q?: string;
                /**
                 * @description Only payments with this status.
                 * @example FAILED
                 */
                status?: components["schemas"]["CollectionStatus"];
                /**
                 * @description Only collections, only payouts, or only refunds.
                 * @example PAYOUT
                 */
                type?: components["schemas"]["Type"];
                /**
                 * @description Only payments by this provider.
                 * @example mtn_ug
                 */
                provider?: components["schemas"]["ProviderCode"];
                /**
                 * @description Only payments of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
                /**
                 * @description Only payments that were accepted at this moment or later.
                 * @example 2026-11-01T00:00:00Z
                 */
                since?: components["schemas"]["Time"];
                /**
                 * @description Only payments that were accepted before this moment.
                 * @example 2026-12-01T00:00:00Z
                 */
                until?: components["schemas"]["Time"];
                /**
                 * @description Only payments of this amount, in any currency or in the one that it names.
                 * @example 5,000 UGX
                 */
                amount?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showPayment: {
        parameters: {
            query?: {
                /**
                 * @description Only payments of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showPaymentTimeline: {
        parameters: {
            query?: {
                /**
                 * @description Only payments of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The course of the payment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showFullPayment: {
        parameters: {
            query?: {
                /**
                 * @description Only payments of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FullPaymentReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolvePayment: {
        parameters: {
            query?: {
                /**
                 * @description Only payments of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
            };
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Decision"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refundPayment: {
        parameters: {
            query?: {
                /**
                 * @description Only payments of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
            };
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundOfPayment"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelPayment: {
        parameters: {
            query?: {
                /**
                 * @description Only payments of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
            };
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendCallbacksOfPayment: {
        parameters: {
            query?: {
                /**
                 * @description Its merchant, by its public key or its id, where several use this reference.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
            };
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment: components["parameters"]["PaymentInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Resend"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCallbacks: {
        parameters: {
            query?: {
                /**
                 * @description Only those that `failed`: every attempt did, and none follows by itself; or are `retrying`: they failed and wait for their next attempt. Of the last 7 days, unless `since` says another time.
                 * @example failed
                 */
                state?: "failed" | "retrying";
                /**
                 * @description Only those of this payment, by any of its references or its id.
                 * @example ORDER-2026-0001
                 */
                payment?: string;
                /**
                 * @description Only those of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
                /**
                 * @description Only those of payments that were accepted at this moment or later.
                 * @example 2026-11-20T00:00:00Z
                 */
                since?: components["schemas"]["Time"];
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of callbacks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendCallbacks: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendMany"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The callback, by its id or its webhook-id.
                 * @example 914235261452497
                 */
                callback: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The callback. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendCallback: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The callback, by its id or its webhook-id.
                 * @example 914235261452497
                 */
                callback: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Resend"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The callback, by its id or its webhook-id.
                 * @example 914235261452497
                 */
                callback: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the test receiver received. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReceived: {
        parameters: {
            query?: {
                /**
                 * @description Only those of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRailKinds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kinds. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RailKindListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRailAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rail accounts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RailAccountListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addRailAccount: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRailAccount"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showRailAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rail account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RailAccountReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setRailAccount: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RailAccountChange"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeRailAccount: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRailExchanges: {
        parameters: {
            query?: {
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exchanges. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkRailAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RailCheck"];
            };
        };
        responses: {
            /** @description What the operator said. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RailCheckReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readRailBalance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comparison. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RailBalanceReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bookOwnMovement: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnMovement"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importStatement: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStatement"];
            };
        };
        responses: {
            /** @description What the import brought. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pullStatement: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatementPull"];
            };
        };
        responses: {
            /** @description What the import brought. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    runReconciliation: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The connection to an operator, by its name.
                 * @example mtn-uganda
                 */
                rail_account: components["parameters"]["RailAccountInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            /** @description What the run has found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listExceptions: {
        parameters: {
            query?: {
                /**
                 * @description Only of this connection to an operator.
                 * @example mtn-uganda
                 */
                rail_account?: components["schemas"]["RailName"];
                /**
                 * @description Only differences of this kind.
                 * @example missing_with_us
                 */
                kind?: components["schemas"]["ExceptionKind"];
                /**
                 * @description Only what is open (by default) or ended, or all.
                 * @example open
                 */
                state?: "open" | "ended" | "all";
                /**
                 * @description Only what is assigned to this member of staff, by e-mail address, or to `me`.
                 * @example me
                 */
                assigned_to?: components["schemas"]["PersonName"];
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of differences. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExceptionListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showException: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The difference, by its number.
                 * @example 17
                 */
                exception: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The difference. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExceptionReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    noteOnException: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The difference, by its number.
                 * @example 17
                 */
                exception: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNote"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    assignException: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The difference, by its number.
                 * @example 17
                 */
                exception: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Assignment"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endException: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The difference, by its number.
                 * @example 17
                 */
                exception: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExceptionEnd"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listClaims: {
        parameters: {
            query?: {
                /**
                 * @description Only of this connection to an operator.
                 * @example mtn-uganda
                 */
                rail_account?: components["schemas"]["RailName"];
                /**
                 * @description The `next` of the previous page.
                 * @example 2026-11-22T09:30:15.000Z_3fd0c5b27a1e4c0d9b775c9f6f1f0a11
                 */
                after?: string;
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of such payments. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSuspense: {
        parameters: {
            query?: {
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of money on suspense. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuspenseListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    returnSuspense: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description What lies on suspense, by its reference.
                 * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
                 */
                suspense: components["schemas"]["Reference"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    takeSuspense: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description What lies on suspense, by its reference, or by the number of its exception.
                 * @example MLPZ1ZP8G0DY6MZXFRQH3EJ9D
                 */
                suspense: components["schemas"]["Reference"];
            };
            cookie?: never;
        };
        /** @description The collection, and why. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TakeSuspenseRequest"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStatements: {
        parameters: {
            query?: {
                /**
                 * @description Only of this connection to an operator.
                 * @example mtn-uganda
                 */
                rail_account?: components["schemas"]["RailName"];
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of imports. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementListReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportVolume: {
        parameters: {
            query?: {
                /**
                 * @description Accepted at this moment or later.
                 * @example 2026-11-01T00:00:00Z
                 */
                since?: components["schemas"]["Time"];
                /**
                 * @description Accepted before this moment.
                 * @example 2026-12-01T00:00:00Z
                 */
                until?: components["schemas"]["Time"];
                /**
                 * @description By what the payments are grouped, with commas between; `provider,type,status` by default.
                 * @example day,status
                 */
                by?: string;
                /**
                 * @description Only payments of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VolumeReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportVolume: {
        parameters: {
            query?: {
                /**
                 * @description Accepted at this moment or later.
                 * @example 2026-11-01T00:00:00Z
                 */
                since?: components["schemas"]["Time"];
                /**
                 * @description Accepted before this moment.
                 * @example 2026-12-01T00:00:00Z
                 */
                until?: components["schemas"]["Time"];
                /**
                 * @description By what the payments are grouped, with commas between; `provider,type,status` by default.
                 * @example day,status
                 */
                by?: string;
                /**
                 * @description Only payments of this merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportBalances: {
        parameters: {
            query?: {
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalancesReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportBalances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showStatement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
                /**
                 * @description The month, in UTC.
                 * @example 2026-11
                 */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportStatement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The merchant, by its public key or its id.
                 * @example pub_sandbox_demo
                 */
                merchant: components["parameters"]["MerchantInPath"];
                /**
                 * @description The month, in UTC.
                 * @example 2026-11
                 */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /**
                 * @description The people of this merchant, by its public key or its id; staff without it.
                 * @example pub_sandbox_demo
                 */
                merchant?: string;
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of people. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeopleReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    invitePerson: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Invite"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example 4
                 */
                person: components["parameters"]["PersonInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the person.
                 * @example 4
                 */
                person: components["parameters"]["PersonInPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePersonRole: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the person.
                 * @example 4
                 */
                person: components["parameters"]["PersonInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRole"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endPersonAccess: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the person.
                 * @example 4
                 */
                person: components["parameters"]["PersonInPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WithReason"];
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /**
                 * @description Only what waits, which is the default, or everything.
                 * @example waiting
                 */
                state?: "waiting" | "all";
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalsReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the request.
                 * @example 7
                 */
                approval: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveRequest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the request.
                 * @example 7
                 */
                approval: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalDecision"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refuseRequest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The number of the request.
                 * @example 7
                 */
                approval: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalDecision"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApprovalRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalRulesReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setApprovalRule: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApprovalRule"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeApprovalRule: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
                 * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FormerApprovalRule"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            202: components["responses"]["Waits"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /**
                 * @description Only of this merchant's public key, provider, rail account, transaction, month or person's address.
                 * @example pub_sandbox_demo
                 */
                subject?: components["schemas"]["Text"];
                /**
                 * @description Only by this person.
                 * @example Amina
                 */
                actor?: components["schemas"]["Text"];
                /**
                 * @description Only this operation.
                 * @example wallet deposit
                 */
                command?: components["schemas"]["Text"];
                /**
                 * @description Only at this time or later.
                 * @example 2026-11-01T00:00:00Z
                 */
                since?: components["schemas"]["Time"];
                /**
                 * @description Only before this time.
                 * @example 2026-12-01T00:00:00Z
                 */
                until?: components["schemas"]["Time"];
                /**
                 * @description The `next` of the previous page.
                 * @example 914235261452496
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description At most this many rows, 50 by default.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyAuditLog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the log is as it was written. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditVerificationReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showAuditEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the entry.
                 * @example 12
                 */
                entry: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    runDoctor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What holds, and what does not. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoctorReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showToday: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TodayReply"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}

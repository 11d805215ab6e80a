// Written by `npm run generate` from openapi/operators/airtel.yaml, with openapi-typescript.

export interface paths {
    "/auth/oauth2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Token
         * @description A token for all other calls. It is kept and renewed early.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rsa/encryption-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Key of signatures and PINs
         * @description The public key that signatures, and in some countries PINs, are encrypted with.
         */
        get: operations["getEncryptionKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchant/v1/payments/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a customer for money
         * @description Sends a prompt to the phone. The answer says that it was sent, and nothing about the payment.
         */
        post: operations["collect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchant/v2/payments/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a customer for money, signed
         * @description The same, with a signature, where the country demands one.
         */
        post: operations["collectSigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v1/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a collection
         * @description Where a collection stands, asked by our id. There is no amount in the answer.
         */
        get: operations["getCollectionStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v1/payments/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a collection back
         * @description Gives back the whole of a collection, by its receipt. It takes no id of ours and there is no enquiry, so that it is sent once.
         */
        post: operations["refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v2/payments/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a collection back, signed
         * @description The same, with a signature, where the country demands one.
         */
        post: operations["refundSigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v1/disbursements/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay somebody out
         * @description Sends money from our wallet to a number. The answer is mostly final.
         */
        post: operations["payOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v2/disbursements/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay somebody out, second version
         * @description Sends money from our wallet to a number. The answer is mostly final.
         */
        post: operations["payOutSecond"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v3/disbursements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay somebody out, third version
         * @description Sends money from our wallet to a number. The answer is mostly final.
         */
        post: operations["payOutThird"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v1/disbursements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a payout
         * @description Where a payout stands, asked by our id.
         */
        get: operations["getPayoutStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v2/disbursements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a payout, second version
         * @description Where a payout stands, asked by our id.
         */
        get: operations["getPayoutStatusSecond"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v3/disbursements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a payout, third version
         * @description Where a payout stands, asked by our id.
         */
        get: operations["getPayoutStatusThird"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v1/users/{msisdn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who has a number
         * @description The name that the number is registered to, and whether it may pay and be paid.
         */
        get: operations["getHolder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v1/users/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What our wallet holds
         * @description The balance of the wallet of the application, where the product is enabled.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standard/v2/users/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What one of our wallets holds
         * @description The balance of one of the wallets.
         */
        get: operations["getBalanceOf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchant/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What our wallet received
         * @description The transactions of a period. A listed payment with TS has moved money.
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
}
export interface webhooks {
    transactionCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What became of an order
         * @description One address per application, which its owner sets in the portal. The message has no amount and no number. It is stored and answered, and then the status is asked for.
         */
        post: operations["transactionCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** TokenRequest */
        TokenRequest: {
            client_id: string;
            client_secret: string;
            /** @enum {string} */
            grant_type: "client_credentials";
        };
        /** TokenReply */
        TokenReply: {
            access_token: string;
            /** @description Seconds, as a text. */
            expires_in: string | number;
            token_type: string;
        };
        /** TokenRefusal */
        TokenRefusal: {
            error: string;
            error_description?: string;
        };
        /**
         * Status
         * @description How the call went, which is not how the payment went.
         */
        Status: {
            /** @description The HTTP status once more. */
            code: string;
            /** @description For people. That of a payout has the number and our balance in words. */
            message?: string;
            /** @description ESB…; deprecated. */
            result_code?: string;
            /** @description DP…; see `x-error-codes`. */
            response_code?: string;
            success: boolean;
        };
        /**
         * Refusal
         * @description The envelope without data.
         */
        Refusal: {
            data?: Record<string, never>;
            status: components["schemas"]["Status"];
        };
        /**
         * FrontReply
         * @description What the front of the API answers, without the envelope.
         */
        FrontReply: {
            /** @description ROUTER and three digits; see `x-error-codes`. */
            status_code: string;
            status_message?: string;
        };
        /**
         * FrontText
         * @description A text of the server before that.
         */
        FrontText: {
            message: string;
        };
        /**
         * AnyRefusal
         * @description One of three forms.
         */
        AnyRefusal: components["schemas"]["Refusal"] | components["schemas"]["FrontReply"] | components["schemas"]["FrontText"];
        /** KeyReply */
        KeyReply: {
            data?: {
                key_id?: number;
                /** @description An RSA public key of 1024 bits, as SPKI in base64. */
                key: string;
                /** @description Day, month, year and time; in which zone is not said. */
                valid_upto?: string;
            };
            status: components["schemas"]["Status"];
        };
        /**
         * NationalNumber
         * @description A phone number without its country code, digits only.
         */
        NationalNumber: string;
        /**
         * Amount
         * @description Money in the main unit of the currency. A number is documented, a text is in some clients.
         */
        Amount: number | string;
        /**
         * TransactionId
         * @description Our id of an order. Letters and digits are safe everywhere; a hyphen is not. We send the 32 hexadecimal digits of a UUID.
         */
        TransactionId: string;
        /** CollectionRequest */
        CollectionRequest: {
            /** @description What the customer reads; in Congo it had to be the id. 4 to 64 letters and digits. */
            reference: string;
            subscriber: {
                country: string;
                currency: string;
                msisdn: components["schemas"]["NationalNumber"];
            };
            transaction: {
                amount: components["schemas"]["Amount"];
                country: string;
                currency: string;
                id: components["schemas"]["TransactionId"];
            };
        };
        /** CollectionReply */
        CollectionReply: {
            data?: {
                transaction?: {
                    /** @description Our id. A sample prints false. */
                    id?: string | boolean;
                    /** @description Says nothing about the payment. */
                    status?: string;
                };
            };
            status: components["schemas"]["Status"];
        };
        /** CollectionAnswer */
        CollectionAnswer: components["schemas"]["CollectionReply"] | components["schemas"]["FrontReply"];
        /** EnquiryReply */
        EnquiryReply: {
            data?: {
                transaction?: {
                    /** @description The receipt of a collection, with TS only. */
                    airtel_money_id?: string;
                    /** @description Our id. */
                    id: string;
                    message?: string;
                    /** @description See `x-transaction-statuses`. */
                    status: string;
                };
            };
            status: components["schemas"]["Status"];
        };
        /** EnquiryAnswer */
        EnquiryAnswer: components["schemas"]["EnquiryReply"] | components["schemas"]["FrontReply"];
        /** RefundRequest */
        RefundRequest: {
            transaction: {
                airtel_money_id: string;
            };
        };
        /** RefundReply */
        RefundReply: {
            data?: {
                transaction?: {
                    /** @description The receipt of the refund. */
                    airtel_money_id?: string;
                    status: string;
                };
            };
            status: components["schemas"]["Status"];
        };
        /** RefundAnswer */
        RefundAnswer: components["schemas"]["RefundReply"] | components["schemas"]["FrontReply"];
        /**
         * Pin
         * @description The PIN of our wallet, encrypted by RSA, in base64.
         */
        Pin: string;
        /** PayoutRequest */
        PayoutRequest: {
            payee: {
                msisdn: components["schemas"]["NationalNumber"];
            };
            reference: string;
            pin: components["schemas"]["Pin"];
            transaction: {
                amount: components["schemas"]["Amount"];
                id: components["schemas"]["TransactionId"];
            };
        };
        /** PayoutReply */
        PayoutReply: {
            data?: {
                transaction?: {
                    /** @description The receipt. An enquiry does not have it. */
                    reference_id?: string;
                    /** @description Ends in our id. */
                    airtel_money_id?: string;
                    /** @description Our id. */
                    id: string;
                    /** @description See `x-transaction-statuses`. */
                    status: string;
                    message?: string;
                };
            };
            status: components["schemas"]["Status"];
        };
        /** PayoutAnswer */
        PayoutAnswer: components["schemas"]["PayoutReply"] | components["schemas"]["FrontReply"];
        /** SecondPayoutRequest */
        SecondPayoutRequest: {
            payee: {
                msisdn: components["schemas"]["NationalNumber"];
                currency: string;
                name?: string;
                /**
                 * @description Of the third version.
                 * @enum {string}
                 */
                wallet_type?: "NORMAL" | "SALARY";
            };
            reference: string;
            pin: components["schemas"]["Pin"];
            transaction: {
                amount: components["schemas"]["Amount"];
                id: components["schemas"]["TransactionId"];
                /** @enum {string} */
                type: "B2C" | "B2B";
            };
        };
        /** HolderReply */
        HolderReply: {
            data?: {
                first_name?: string;
                last_name?: string;
                grade?: string;
                is_barred?: boolean;
                is_pin_set?: boolean;
                msisdn?: string;
                registration?: {
                    status?: string;
                };
            };
            status: components["schemas"]["Status"];
        };
        /** BalanceReply */
        BalanceReply: {
            data?: {
                /** @description In the main unit of the currency, as a text. */
                balance: string;
                currency: string;
                account_status?: string;
            };
            status: components["schemas"]["Status"];
        };
        /** ListedTransaction */
        ListedTransaction: {
            payee?: {
                currency?: string;
                msisdn?: string;
                name?: string;
            };
            payer?: {
                currency?: string;
                msisdn?: string;
                name?: string;
            };
            service?: {
                /** @description MERCHPAY is a collection; which others there are is not known. */
                type?: string;
            };
            transaction: {
                airtel_money_id: string;
                amount: string;
                created_at?: string | number;
                id: string;
                status: string;
            };
        };
        /** ListReply */
        ListReply: {
            data?: {
                count?: number | string;
                /** @description One hit may come as an object. */
                transactions?: components["schemas"]["ListedTransaction"][] | components["schemas"]["ListedTransaction"];
            };
            status: components["schemas"]["Status"];
        };
        /** CallbackMessage */
        CallbackMessage: {
            transaction: {
                /** @description Our id. */
                id: string;
                message?: string;
                /** @description TS or TF. */
                status_code: string;
                airtel_money_id?: string;
            };
            /** @description HMAC-SHA-256 in base64, where the application has authentication on: of the `transaction` member, or of the body without `hash`. */
            hash?: string;
        };
    };
    responses: {
        /** @description A token, for `expires_in` seconds. */
        Token: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenReply"];
            };
        };
        /** @description The client id or the secret is wrong. */
        TokenRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenRefusal"];
            };
        };
        /** @description Our address is not on the list, or the product is not enabled. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnyRefusal"];
            };
        };
        /** @description An outage. */
        NoRoute: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnyRefusal"];
            };
        };
        /** @description No answer in time: ask. */
        TimedOut: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnyRefusal"];
            };
        };
        /** @description Too many calls. */
        TooMany: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnyRefusal"];
            };
        };
        /** @description Something went wrong. It says nothing about the order. */
        Failed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnyRefusal"];
            };
        };
        /** @description The key, until `valid_upto`. */
        Key: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyReply"];
            };
        };
        /** @description A fault of the request. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnyRefusal"];
            };
        };
        /** @description The token is wrong or has ended. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnyRefusal"];
            };
        };
        /** @description No key. */
        KeyFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnyRefusal"];
            };
        };
        /** @description The prompt is sent, or the order is refused; which of them only an enquiry says. */
        CollectionTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CollectionAnswer"];
            };
        };
        /** @description A number that is unknown, or a fault of the request. */
        CollectionRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnyRefusal"];
            };
        };
        /** @description Where the collection stands. */
        Enquiry: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EnquiryAnswer"];
            };
        };
        /** @description The refund is made, or refused. */
        RefundTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RefundAnswer"];
            };
        };
        /** @description What became of it, in most cases. */
        PayoutTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayoutAnswer"];
            };
        };
        /** @description A fault of the request. */
        PayoutRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnyRefusal"];
            };
        };
        /** @description Where the payout stands. */
        PayoutEnquiry: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayoutAnswer"];
            };
        };
        /** @description Who has the number. */
        Holder: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HolderReply"];
            };
        };
        /** @description What our wallet holds. */
        Balance: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BalanceReply"];
            };
        };
        /** @description What our wallet received. */
        List: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ListReply"];
            };
        };
        /** @description Taken. Nobody reads the body. */
        CallbackTaken: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Not ours. */
        CallbackRefused: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description The country of the application: see `x-countries`.
         * @example UG
         */
        Country: string;
        /**
         * @description The currency of that country.
         * @example UGX
         */
        Currency: string;
        /**
         * @description The exact bytes of the body, encrypted by AES-256-CBC with a random key and IV, in base64. Airtel encrypts what it received the same way, and compares.
         * @example kZ0yH1mJ3o8yq3mVQm5mWw==
         */
        Signature: string;
        /**
         * @description The text `base64(key):base64(IV)`, encrypted by RSA with the key of `getEncryptionKey`, in base64.
         * @example bm90IGEga2V5
         */
        Key: string;
        /**
         * @description The `transaction.id` that the order was sent with.
         * @example 3fd0c5b27a1e4c0d9b775c9f6f1f0a11
         */
        Id: components["schemas"]["TransactionId"];
        /**
         * @description As with the first version, where the country signs these.
         * @example kZ0yH1mJ3o8yq3mVQm5mWw==
         */
        MaybeSignature: string;
        /**
         * @description The encrypted key and IV of that signature.
         * @example bm90IGEga2V5
         */
        MaybeKey: string;
        /**
         * @description Of the payout.
         * @example B2C
         */
        TransactionType: "B2C" | "B2B";
        /**
         * @description The phone number, digits only. National in Uganda; other countries take the country code.
         * @example 752000123
         */
        Msisdn: string;
        /**
         * @description Which of our wallets.
         * @example DISB
         */
        BalanceType: "COLL" | "DISB" | "CASHIN" | "CASHOUT";
        /**
         * @description Milliseconds since 1970.
         * @example 1795694400000
         */
        From: number;
        /**
         * @description Milliseconds since 1970.
         * @example 1795780800000
         */
        To: number;
        /**
         * @description How many at most.
         * @example 100
         */
        Limit: number;
        /**
         * @description How many to leave out.
         * @example 0
         */
        Offset: number;
    };
    requestBodies: {
        Token: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        Collection: {
            content: {
                "application/json": components["schemas"]["CollectionRequest"];
            };
        };
        Refund: {
            content: {
                "application/json": components["schemas"]["RefundRequest"];
            };
        };
        FirstPayout: {
            content: {
                "application/json": components["schemas"]["PayoutRequest"];
            };
        };
        SecondPayout: {
            content: {
                "application/json": components["schemas"]["SecondPayoutRequest"];
            };
        };
        ThirdPayout: {
            content: {
                "application/json": components["schemas"]["SecondPayoutRequest"];
            };
        };
        Callback: {
            content: {
                "application/json": components["schemas"]["CallbackMessage"];
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Token"];
        responses: {
            200: components["responses"]["Token"];
            400: components["responses"]["TokenRefused"];
            401: components["responses"]["TokenRefused"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    getEncryptionKey: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Key"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["KeyFailed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    collect: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Collection"];
        responses: {
            200: components["responses"]["CollectionTaken"];
            400: components["responses"]["CollectionRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    collectSigned: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
                /**
                 * @description The exact bytes of the body, encrypted by AES-256-CBC with a random key and IV, in base64. Airtel encrypts what it received the same way, and compares.
                 * @example kZ0yH1mJ3o8yq3mVQm5mWw==
                 */
                "x-signature": components["parameters"]["Signature"];
                /**
                 * @description The text `base64(key):base64(IV)`, encrypted by RSA with the key of `getEncryptionKey`, in base64.
                 * @example bm90IGEga2V5
                 */
                "x-key": components["parameters"]["Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Collection"];
        responses: {
            200: components["responses"]["CollectionTaken"];
            400: components["responses"]["CollectionRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    getCollectionStatus: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path: {
                /**
                 * @description The `transaction.id` that the order was sent with.
                 * @example 3fd0c5b27a1e4c0d9b775c9f6f1f0a11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Enquiry"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    refund: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Refund"];
        responses: {
            200: components["responses"]["RefundTaken"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    refundSigned: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
                /**
                 * @description The exact bytes of the body, encrypted by AES-256-CBC with a random key and IV, in base64. Airtel encrypts what it received the same way, and compares.
                 * @example kZ0yH1mJ3o8yq3mVQm5mWw==
                 */
                "x-signature": components["parameters"]["Signature"];
                /**
                 * @description The text `base64(key):base64(IV)`, encrypted by RSA with the key of `getEncryptionKey`, in base64.
                 * @example bm90IGEga2V5
                 */
                "x-key": components["parameters"]["Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Refund"];
        responses: {
            200: components["responses"]["RefundTaken"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    payOut: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["FirstPayout"];
        responses: {
            200: components["responses"]["PayoutTaken"];
            400: components["responses"]["PayoutRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    payOutSecond: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
                /**
                 * @description As with the first version, where the country signs these.
                 * @example kZ0yH1mJ3o8yq3mVQm5mWw==
                 */
                "x-signature"?: components["parameters"]["MaybeSignature"];
                /**
                 * @description The encrypted key and IV of that signature.
                 * @example bm90IGEga2V5
                 */
                "x-key"?: components["parameters"]["MaybeKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["SecondPayout"];
        responses: {
            200: components["responses"]["PayoutTaken"];
            400: components["responses"]["PayoutRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    payOutThird: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
                /**
                 * @description The exact bytes of the body, encrypted by AES-256-CBC with a random key and IV, in base64. Airtel encrypts what it received the same way, and compares.
                 * @example kZ0yH1mJ3o8yq3mVQm5mWw==
                 */
                "x-signature": components["parameters"]["Signature"];
                /**
                 * @description The text `base64(key):base64(IV)`, encrypted by RSA with the key of `getEncryptionKey`, in base64.
                 * @example bm90IGEga2V5
                 */
                "x-key": components["parameters"]["Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ThirdPayout"];
        responses: {
            200: components["responses"]["PayoutTaken"];
            400: components["responses"]["PayoutRefused"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPayoutStatus: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path: {
                /**
                 * @description The `transaction.id` that the order was sent with.
                 * @example 3fd0c5b27a1e4c0d9b775c9f6f1f0a11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PayoutEnquiry"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPayoutStatusSecond: {
        parameters: {
            query: {
                /**
                 * @description Of the payout.
                 * @example B2C
                 */
                transactionType: components["parameters"]["TransactionType"];
            };
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path: {
                /**
                 * @description The `transaction.id` that the order was sent with.
                 * @example 3fd0c5b27a1e4c0d9b775c9f6f1f0a11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PayoutEnquiry"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPayoutStatusThird: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path: {
                /**
                 * @description The `transaction.id` that the order was sent with.
                 * @example 3fd0c5b27a1e4c0d9b775c9f6f1f0a11
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PayoutEnquiry"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    getHolder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path: {
                /**
                 * @description The phone number, digits only. National in Uganda; other countries take the country code.
                 * @example 752000123
                 */
                msisdn: components["parameters"]["Msisdn"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Holder"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Balance"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    getBalanceOf: {
        parameters: {
            query: {
                /**
                 * @description Which of our wallets.
                 * @example DISB
                 */
                type: components["parameters"]["BalanceType"];
            };
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Balance"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    listTransactions: {
        parameters: {
            query: {
                /**
                 * @description Milliseconds since 1970.
                 * @example 1795694400000
                 */
                from: components["parameters"]["From"];
                /**
                 * @description Milliseconds since 1970.
                 * @example 1795780800000
                 */
                to: components["parameters"]["To"];
                /**
                 * @description How many at most.
                 * @example 100
                 */
                limit: components["parameters"]["Limit"];
                /**
                 * @description How many to leave out.
                 * @example 0
                 */
                offset: components["parameters"]["Offset"];
            };
            header: {
                /**
                 * @description The country of the application: see `x-countries`.
                 * @example UG
                 */
                "X-Country": components["parameters"]["Country"];
                /**
                 * @description The currency of that country.
                 * @example UGX
                 */
                "X-Currency": components["parameters"]["Currency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["List"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRoute"];
            408: components["responses"]["TimedOut"];
            429: components["responses"]["TooMany"];
            500: components["responses"]["Failed"];
            502: components["responses"]["TimedOut"];
            503: components["responses"]["Failed"];
            504: components["responses"]["TimedOut"];
        };
    };
    transactionCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Callback"];
        responses: {
            200: components["responses"]["CallbackTaken"];
            "4XX": components["responses"]["CallbackRefused"];
        };
    };
}

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
            data: components["schemas"]["EmptyData"];
        };
        /**
         * Reason
         * @description Why, for the audit log. It is stored for good, so it must hold no secret and no full phone number.
         * @example Bank transfer of 20 November
         */
        Reason: string;
        /**
         * With a reason
         * @description A change that needs no more than a reason.
         */
        ReasonOnly: {
            reason: components["schemas"]["Reason"];
        };
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
         * Currency
         * @description Currency code of ISO 4217, three capital letters.
         * @example UGX
         */
        Currency: string;
        /**
         * Amount as text
         * @description An amount in major units, digit for digit.
         * @example 1500000
         */
        AmountText: string;
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
        /** @description The body is larger than 65,536 bytes. */
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
    };
    parameters: {
        /**
         * @description The merchant, by its public key or its id.
         * @example pub_sandbox_demo
         */
        MerchantInPath: string;
        /**
         * @description Makes a repetition safe: the same key with the same request repeats the outcome of the first, within 7 days. A key belongs to one person. With another request it is refused with 409.
         * @example 6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11
         */
        IdempotencyKey: string;
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
}

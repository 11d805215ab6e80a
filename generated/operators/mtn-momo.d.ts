// Written by `npm run generate` from openapi/operators/mtn-momo.yaml, with openapi-typescript.

export interface paths {
    "/v1_0/apiuser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an API user
         * @description Sandbox only. The new API user has the id that is sent in `X-Reference-Id`.
         */
        post: operations["createApiUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1_0/apiuser/{apiUser}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look an API user up
         * @description Sandbox only. Shows that the API user is there, and the host that its callbacks may go to.
         */
        get: operations["getApiUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1_0/apiuser/{apiUser}/apikey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an API key
         * @description Sandbox only. The key is shown this once. The request has no body.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collection/token/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Token for collections
         * @description A token for every other call of this product. It is kept and renewed early, not asked for per transaction.
         */
        post: operations["createCollectionToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disbursement/token/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Token for payouts and refunds
         * @description A token for every other call of this product. It is kept and renewed early, not asked for per transaction.
         */
        post: operations["createDisbursementToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/remittance/token/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Token for remittances
         * @description A token for every other call of this product. It is kept and renewed early, not asked for per transaction.
         */
        post: operations["createRemittanceToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collection/v1_0/requesttopay": {
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
         * @description The customer approves on the phone, within five minutes. 202 means that MTN has the request, and nothing more: the
         *     outcome comes by callback or is asked for. Without an answer it may be sent again with the same `X-Reference-Id`.
         */
        post: operations["requestToPay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collection/v1_0/requesttopay/{referenceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a collection
         * @description Where a collection stands, asked by the id that it was submitted with.
         */
        get: operations["getRequestToPayStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collection/v1_0/requesttopay/{referenceId}/deliverynotification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the payer a text
         * @description A text of at most 160 characters for the payer of a collection, beside the one that the collection had.
         */
        post: operations["notifyPayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disbursement/v1_0/transfer": {
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
         * @description Sends money from our account to a number. 202 means that MTN has the order, and nothing more. Without an answer it may
         *     be sent again with the same `X-Reference-Id`.
         */
        post: operations["transfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disbursement/v1_0/transfer/{referenceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a payout
         * @description Where a transfer stands, asked by the id that it was submitted with.
         */
        get: operations["getTransferStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disbursement/v1_0/deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay somebody out by a deposit
         * @description The other call for a payout. 202 means that MTN has the order, and nothing more. Without an answer it may be sent
         *     again with the same `X-Reference-Id`. There is a `v2_0` of it too.
         */
        post: operations["deposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disbursement/v1_0/deposit/{referenceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a deposit
         * @description Where a deposit stands, asked by the id that it was submitted with.
         */
        get: operations["getDepositStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disbursement/v1_0/refund": {
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
         * @description Gives the money of a collection back to who paid it; `referenceIdToRefund` is the reference id of that collection.
         *     202 means that MTN has the order, and nothing more.
         */
        post: operations["refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disbursement/v1_0/refund/{referenceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a refund
         * @description Where a refund stands, asked by the id that it was submitted with.
         */
        get: operations["getRefundStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collection/v1_0/account/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balance for collections
         * @description What our account for collections holds now.
         */
        get: operations["getCollectionBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disbursement/v1_0/account/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balance for payouts and refunds
         * @description What our account for payouts and refunds holds now.
         */
        get: operations["getDisbursementBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/remittance/v1_0/account/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balance for remittances
         * @description What our account for remittances holds now.
         */
        get: operations["getRemittanceBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collection/v1_0/accountholder/{accountHolderIdType}/{accountHolderId}/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a number has an active account, asked with the token for collections
         * @description Tells a wrong or closed number from a good one before money is asked for or sent.
         */
        get: operations["isCollectionHolderActive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disbursement/v1_0/accountholder/{accountHolderIdType}/{accountHolderId}/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a number has an active account, asked with the token for payouts and refunds
         * @description Tells a wrong or closed number from a good one before money is asked for or sent.
         */
        get: operations["isDisbursementHolderActive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/remittance/v1_0/accountholder/{accountHolderIdType}/{accountHolderId}/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a number has an active account, asked with the token for remittances
         * @description Tells a wrong or closed number from a good one before money is asked for or sent.
         */
        get: operations["isRemittanceHolderActive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collection/v1_0/accountholder/msisdn/{accountHolderId}/basicuserinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who has a number, asked with the token for collections
         * @description The name that the account is registered to, to compare it with the one that we were given.
         */
        get: operations["getCollectionHolderName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disbursement/v1_0/accountholder/msisdn/{accountHolderId}/basicuserinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who has a number, asked with the token for payouts and refunds
         * @description The name that the account is registered to, to compare it with the one that we were given.
         */
        get: operations["getDisbursementHolderName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/remittance/v1_0/accountholder/msisdn/{accountHolderId}/basicuserinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who has a number, asked with the token for remittances
         * @description The name that the account is registered to, to compare it with the one that we were given.
         */
        get: operations["getRemittanceHolderName"];
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
         * ReferenceId
         * @description A UUID of version 4. Any other version is refused with 400.
         */
        ReferenceId: string;
        /** ApiUserRequest */
        ApiUserRequest: {
            /** @description The one host that callbacks may go to, without scheme and path. */
            providerCallbackHost: string;
        };
        /**
         * ErrorReply
         * @description What MTN itself answers. A program goes by `code`.
         */
        ErrorReply: {
            /** @description See `x-error-codes`; the list is not closed. */
            code: string;
            /** @description For people; it may say anything. */
            message?: string;
        };
        /**
         * FrontErrorReply
         * @description What the front of the API answers before MTN sees the request.
         */
        FrontErrorReply: {
            /** @description The HTTP status once more. */
            statusCode: number;
            /** @description For people. */
            message: string;
        };
        /**
         * Refusal
         * @description MTN's own form, or that of the front of its API.
         */
        Refusal: components["schemas"]["ErrorReply"] | components["schemas"]["FrontErrorReply"];
        /** ApiUserReply */
        ApiUserReply: {
            providerCallbackHost?: string;
            targetEnvironment?: string;
        };
        /** ApiKeyReply */
        ApiKeyReply: {
            /** @description 32 hexadecimal digits. */
            apiKey: string;
        };
        /** TokenReply */
        TokenReply: {
            access_token: string;
            token_type: string;
            /** @description Seconds. */
            expires_in: number;
        };
        /**
         * LoginFailedReply
         * @description What a wrong API user or API key may get.
         */
        LoginFailedReply: {
            error: string;
        };
        /**
         * TokenRefusal
         * @description One of three forms.
         */
        TokenRefusal: components["schemas"]["LoginFailedReply"] | components["schemas"]["ErrorReply"] | components["schemas"]["FrontErrorReply"];
        /**
         * Amount
         * @description Money in the main unit of the currency, as a text.
         */
        Amount: string;
        /**
         * Currency
         * @description ISO 4217, of the country that the target environment stands for. In the sandbox EUR.
         */
        Currency: string;
        /**
         * ExternalId
         * @description An id of ours that comes back in the status and in the callback.
         */
        ExternalId: string;
        /**
         * Msisdn
         * @description A phone number with its country code, digits only.
         */
        Msisdn: string;
        /** Party */
        Party: {
            /** @enum {string} */
            partyIdType: "MSISDN";
            partyId: components["schemas"]["Msisdn"];
        };
        /**
         * Note
         * @description A text for people. Apostrophes and other special characters are refused with 400; which others is not known, so that letters, digits and spaces are the safe choice.
         */
        Note: string;
        /** CollectionRequest */
        CollectionRequest: {
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            externalId: components["schemas"]["ExternalId"];
            payer: components["schemas"]["Party"];
            payerMessage?: components["schemas"]["Note"];
            payeeNote?: components["schemas"]["Note"];
        };
        /**
         * TransactionStatus
         * @description Where a transaction stands. SUCCESSFUL and FAILED are final. TIMEOUT, REJECTED and ONGOING stand in SDKs only. A value that is not listed means unknown: neither paid nor failed.
         * @enum {string}
         */
        TransactionStatus: "CREATED" | "PENDING" | "SUCCESSFUL" | "FAILED" | "TIMEOUT" | "REJECTED" | "ONGOING";
        /**
         * FinancialTransactionId
         * @description MTN's own id of the movement of money, as reports have it. Only when the transaction has settled.
         */
        FinancialTransactionId: string;
        /**
         * ReasonText
         * @description The code alone.
         */
        ReasonText: string;
        /**
         * ReasonObject
         * @description The code with a text.
         */
        ReasonObject: {
            /** @description See `x-error-codes`. */
            code: string;
            /** @description For people. */
            message?: string;
        };
        /**
         * Reason
         * @description Why a transaction failed, and only then. Both forms have to be read.
         */
        Reason: components["schemas"]["ReasonText"] | components["schemas"]["ReasonObject"];
        /**
         * CollectionResult
         * @description What the status query answers and what the callback brings. It does not say which transaction it is about, beside our own `externalId`.
         */
        CollectionResult: {
            externalId: components["schemas"]["ExternalId"];
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payer?: components["schemas"]["Party"];
            payerMessage?: components["schemas"]["Note"];
            payeeNote?: components["schemas"]["Note"];
            status: components["schemas"]["TransactionStatus"];
            financialTransactionId?: components["schemas"]["FinancialTransactionId"];
            reason?: components["schemas"]["Reason"];
        };
        /** DeliveryNotification */
        DeliveryNotification: {
            /** @description The text for the payer. */
            notificationMessage: string;
        };
        /** TransferRequest */
        TransferRequest: {
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            externalId: components["schemas"]["ExternalId"];
            payee: components["schemas"]["Party"];
            payerMessage?: components["schemas"]["Note"];
            payeeNote?: components["schemas"]["Note"];
        };
        /**
         * PayoutResult
         * @description What the status query of a transfer, deposit or refund answers and what its callback brings.
         */
        PayoutResult: {
            externalId: components["schemas"]["ExternalId"];
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            payee?: components["schemas"]["Party"];
            payerMessage?: components["schemas"]["Note"];
            payeeNote?: components["schemas"]["Note"];
            status: components["schemas"]["TransactionStatus"];
            financialTransactionId?: components["schemas"]["FinancialTransactionId"];
            reason?: components["schemas"]["Reason"];
        };
        /** RefundRequest */
        RefundRequest: {
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            externalId: components["schemas"]["ExternalId"];
            payerMessage?: components["schemas"]["Note"];
            payeeNote?: components["schemas"]["Note"];
            referenceIdToRefund: components["schemas"]["ReferenceId"];
        };
        /** Balance */
        Balance: {
            /** @description In the main unit of the currency, as a text. */
            availableBalance: string;
            currency: components["schemas"]["Currency"];
        };
        /**
         * HolderActiveBare
         * @enum {boolean|string}
         */
        HolderActiveBare: true | false | "true" | "false";
        /** HolderActiveObject */
        HolderActiveObject: {
            result: components["schemas"]["HolderActiveBare"];
        };
        /**
         * HolderActive
         * @description Whether the account is active. All three forms have to be read.
         */
        HolderActive: components["schemas"]["HolderActiveObject"] | components["schemas"]["HolderActiveBare"];
        /**
         * HolderName
         * @description Who has the account. A field that MTN does not know may be absent.
         */
        HolderName: {
            given_name?: string;
            family_name?: string;
            birthdate?: string;
            locale?: string;
            gender?: string;
            status?: string;
        };
    };
    responses: {
        /** @description The API user is made. The body is empty. */
        ApiUserCreated: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is not as MTN wants it. */
        BadApiUser: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The token or the subscription key is missing, wrong or too old. With a new token the same request is sent once more, with the same id. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The id was used before. */
        AlreadyExists: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description MTN refuses to answer, or has a fault. It says nothing about any transaction. */
        QueryFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The API user is there. */
        ApiUser: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiUserReply"];
            };
        };
        /** @description The id is not a UUID of version 4. */
        BadReference: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Nothing is known under this id. Soon after a submission this means unknown. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The new API key. */
        ApiKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiKeyReply"];
            };
        };
        /** @description The request had no `Content-Length`. */
        LengthRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description A token, for `expires_in` seconds. */
        Token: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenReply"];
            };
        };
        /** @description The request had a body. */
        TokenWithBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenRefusal"];
            };
        };
        /** @description The API user, its key or the subscription key is wrong. */
        TokenRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenRefusal"];
            };
        };
        /** @description The API user or its key is wrong, or MTN has a fault. */
        LoginFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenRefusal"];
            };
        };
        /** @description MTN cannot answer now. It says nothing about any transaction. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description MTN has the request. The body is empty (`Content-Length: 0`). */
        Accepted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is not as MTN wants it. Nothing was started. What the body says is not known well. */
        BadSubmission: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The caller's address is not on MTN's list. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description MTN refuses, or has a fault. Only a code that names a reason to refuse says that nothing was started. */
        CollectionRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Taken. Nobody reads the body. */
        CallbackTaken: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Not ours. MTN does not come back for it. */
        CallbackRefused: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Where the collection stands. */
        CollectionResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CollectionResult"];
            };
        };
        /** @description The payer is notified. The body is empty as far as we know. */
        Notified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The text is empty or longer than 160 characters. */
        BadNotification: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description MTN refuses, or has a fault. Only a code that names a reason to refuse says that nothing was started. */
        TransferRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Where the transfer stands. */
        TransferResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayoutResult"];
            };
        };
        /** @description MTN refuses, or has a fault. Only a code that names a reason to refuse says that nothing was started. */
        RefundRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Where the refund stands. */
        RefundResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayoutResult"];
            };
        };
        /** @description What the account holds. */
        Balance: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Balance"];
            };
        };
        /** @description A header is missing, or is not as MTN wants it. */
        BadHeader: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Whether the account is active. */
        HolderActive: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HolderActive"];
            };
        };
        /** @description The kind of id is not known, or the id is none. */
        HolderInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Who has the account. */
        HolderName: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HolderName"];
            };
        };
    };
    parameters: {
        /**
         * @description The id of the new API user, a UUID of version 4 that we choose.
         * @example 8c5a1e70-90a4-4f0e-8d0f-26a30f2f4a55
         */
        ApiUserId: components["schemas"]["ReferenceId"];
        /**
         * @description The id of an API user.
         * @example 8c5a1e70-90a4-4f0e-8d0f-26a30f2f4a55
         */
        ApiUser: components["schemas"]["ReferenceId"];
        /**
         * @description The id of the transaction, a UUID of version 4 that we choose. Upper and lower case are the same.
         * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
         */
        ReferenceId: components["schemas"]["ReferenceId"];
        /**
         * @description `sandbox`, or the environment of a country: see `x-target-environments`.
         * @example sandbox
         */
        TargetEnvironment: string;
        /**
         * @description The address for reports of the outcome. Its host is the `providerCallbackHost` of the API user. The callback does not name the transaction, so the path has to. Without this header no callback comes; an empty one is refused with 400.
         * @example https://malipo.example/rails/mtn_ug/3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
         */
        CallbackUrl: string;
        /**
         * @description The `X-Reference-Id` that the transaction was submitted with.
         * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
         */
        TransactionReference: components["schemas"]["ReferenceId"];
        /**
         * @description What kind of id follows. Another kind is refused with 400.
         * @example msisdn
         */
        AccountHolderIdType: "msisdn";
        /**
         * @description The phone number with its country code, digits only.
         * @example 46733123499
         */
        AccountHolderId: components["schemas"]["Msisdn"];
    };
    requestBodies: {
        ApiUser: {
            content: {
                "application/json": components["schemas"]["ApiUserRequest"];
            };
        };
        Collection: {
            content: {
                "application/json": components["schemas"]["CollectionRequest"];
            };
        };
        CollectionResultCallback: {
            content: {
                "application/json": components["schemas"]["CollectionResult"];
            };
        };
        Notification: {
            content: {
                "application/json": components["schemas"]["DeliveryNotification"];
            };
        };
        Transfer: {
            content: {
                "application/json": components["schemas"]["TransferRequest"];
            };
        };
        TransferResultCallback: {
            content: {
                "application/json": components["schemas"]["PayoutResult"];
            };
        };
        Refund: {
            content: {
                "application/json": components["schemas"]["RefundRequest"];
            };
        };
        RefundResultCallback: {
            content: {
                "application/json": components["schemas"]["PayoutResult"];
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createApiUser: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the new API user, a UUID of version 4 that we choose.
                 * @example 8c5a1e70-90a4-4f0e-8d0f-26a30f2f4a55
                 */
                "X-Reference-Id": components["parameters"]["ApiUserId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ApiUser"];
        responses: {
            201: components["responses"]["ApiUserCreated"];
            400: components["responses"]["BadApiUser"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["AlreadyExists"];
            500: components["responses"]["QueryFailed"];
        };
    };
    getApiUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an API user.
                 * @example 8c5a1e70-90a4-4f0e-8d0f-26a30f2f4a55
                 */
                apiUser: components["parameters"]["ApiUser"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiUser"];
            400: components["responses"]["BadReference"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an API user.
                 * @example 8c5a1e70-90a4-4f0e-8d0f-26a30f2f4a55
                 */
                apiUser: components["parameters"]["ApiUser"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: components["responses"]["ApiKey"];
            400: components["responses"]["BadReference"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            411: components["responses"]["LengthRequired"];
            500: components["responses"]["QueryFailed"];
        };
    };
    createCollectionToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Token"];
            400: components["responses"]["TokenWithBody"];
            401: components["responses"]["TokenRefused"];
            411: components["responses"]["LengthRequired"];
            500: components["responses"]["LoginFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDisbursementToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Token"];
            400: components["responses"]["TokenWithBody"];
            401: components["responses"]["TokenRefused"];
            411: components["responses"]["LengthRequired"];
            500: components["responses"]["LoginFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRemittanceToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Token"];
            400: components["responses"]["TokenWithBody"];
            401: components["responses"]["TokenRefused"];
            411: components["responses"]["LengthRequired"];
            500: components["responses"]["LoginFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestToPay: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the transaction, a UUID of version 4 that we choose. Upper and lower case are the same.
                 * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                "X-Reference-Id": components["parameters"]["ReferenceId"];
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
                /**
                 * @description The address for reports of the outcome. Its host is the `providerCallbackHost` of the API user. The callback does not name the transaction, so the path has to. Without this header no callback comes; an empty one is refused with 400.
                 * @example https://malipo.example/rails/mtn_ug/3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                "X-Callback-Url"?: components["parameters"]["CallbackUrl"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Collection"];
        responses: {
            202: components["responses"]["Accepted"];
            400: components["responses"]["BadSubmission"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["AlreadyExists"];
            500: components["responses"]["CollectionRefused"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRequestToPayStatus: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description The `X-Reference-Id` that the transaction was submitted with.
                 * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                referenceId: components["parameters"]["TransactionReference"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CollectionResult"];
            400: components["responses"]["BadReference"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    notifyPayer: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description The `X-Reference-Id` that the transaction was submitted with.
                 * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                referenceId: components["parameters"]["TransactionReference"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Notification"];
        responses: {
            200: components["responses"]["Notified"];
            400: components["responses"]["BadNotification"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    transfer: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the transaction, a UUID of version 4 that we choose. Upper and lower case are the same.
                 * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                "X-Reference-Id": components["parameters"]["ReferenceId"];
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
                /**
                 * @description The address for reports of the outcome. Its host is the `providerCallbackHost` of the API user. The callback does not name the transaction, so the path has to. Without this header no callback comes; an empty one is refused with 400.
                 * @example https://malipo.example/rails/mtn_ug/3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                "X-Callback-Url"?: components["parameters"]["CallbackUrl"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Transfer"];
        responses: {
            202: components["responses"]["Accepted"];
            400: components["responses"]["BadSubmission"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["AlreadyExists"];
            500: components["responses"]["TransferRefused"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTransferStatus: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description The `X-Reference-Id` that the transaction was submitted with.
                 * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                referenceId: components["parameters"]["TransactionReference"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TransferResult"];
            400: components["responses"]["BadReference"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    deposit: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the transaction, a UUID of version 4 that we choose. Upper and lower case are the same.
                 * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                "X-Reference-Id": components["parameters"]["ReferenceId"];
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
                /**
                 * @description The address for reports of the outcome. Its host is the `providerCallbackHost` of the API user. The callback does not name the transaction, so the path has to. Without this header no callback comes; an empty one is refused with 400.
                 * @example https://malipo.example/rails/mtn_ug/3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                "X-Callback-Url"?: components["parameters"]["CallbackUrl"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Transfer"];
        responses: {
            202: components["responses"]["Accepted"];
            400: components["responses"]["BadSubmission"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["AlreadyExists"];
            500: components["responses"]["TransferRefused"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDepositStatus: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description The `X-Reference-Id` that the transaction was submitted with.
                 * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                referenceId: components["parameters"]["TransactionReference"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TransferResult"];
            400: components["responses"]["BadReference"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    refund: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the transaction, a UUID of version 4 that we choose. Upper and lower case are the same.
                 * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                "X-Reference-Id": components["parameters"]["ReferenceId"];
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
                /**
                 * @description The address for reports of the outcome. Its host is the `providerCallbackHost` of the API user. The callback does not name the transaction, so the path has to. Without this header no callback comes; an empty one is refused with 400.
                 * @example https://malipo.example/rails/mtn_ug/3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                "X-Callback-Url"?: components["parameters"]["CallbackUrl"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Refund"];
        responses: {
            202: components["responses"]["Accepted"];
            400: components["responses"]["BadSubmission"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["AlreadyExists"];
            500: components["responses"]["RefundRefused"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRefundStatus: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description The `X-Reference-Id` that the transaction was submitted with.
                 * @example 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11
                 */
                referenceId: components["parameters"]["TransactionReference"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RefundResult"];
            400: components["responses"]["BadReference"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCollectionBalance: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Balance"];
            400: components["responses"]["BadHeader"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDisbursementBalance: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Balance"];
            400: components["responses"]["BadHeader"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRemittanceBalance: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Balance"];
            400: components["responses"]["BadHeader"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    isCollectionHolderActive: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description What kind of id follows. Another kind is refused with 400.
                 * @example msisdn
                 */
                accountHolderIdType: components["parameters"]["AccountHolderIdType"];
                /**
                 * @description The phone number with its country code, digits only.
                 * @example 46733123499
                 */
                accountHolderId: components["parameters"]["AccountHolderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["HolderActive"];
            400: components["responses"]["HolderInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    isDisbursementHolderActive: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description What kind of id follows. Another kind is refused with 400.
                 * @example msisdn
                 */
                accountHolderIdType: components["parameters"]["AccountHolderIdType"];
                /**
                 * @description The phone number with its country code, digits only.
                 * @example 46733123499
                 */
                accountHolderId: components["parameters"]["AccountHolderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["HolderActive"];
            400: components["responses"]["HolderInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    isRemittanceHolderActive: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description What kind of id follows. Another kind is refused with 400.
                 * @example msisdn
                 */
                accountHolderIdType: components["parameters"]["AccountHolderIdType"];
                /**
                 * @description The phone number with its country code, digits only.
                 * @example 46733123499
                 */
                accountHolderId: components["parameters"]["AccountHolderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["HolderActive"];
            400: components["responses"]["HolderInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCollectionHolderName: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description The phone number with its country code, digits only.
                 * @example 46733123499
                 */
                accountHolderId: components["parameters"]["AccountHolderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["HolderName"];
            400: components["responses"]["HolderInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDisbursementHolderName: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description The phone number with its country code, digits only.
                 * @example 46733123499
                 */
                accountHolderId: components["parameters"]["AccountHolderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["HolderName"];
            400: components["responses"]["HolderInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRemittanceHolderName: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sandbox`, or the environment of a country: see `x-target-environments`.
                 * @example sandbox
                 */
                "X-Target-Environment": components["parameters"]["TargetEnvironment"];
            };
            path: {
                /**
                 * @description The phone number with its country code, digits only.
                 * @example 46733123499
                 */
                accountHolderId: components["parameters"]["AccountHolderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["HolderName"];
            400: components["responses"]["HolderInvalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["QueryFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
}

// Written by `npm run generate` from openapi/operators/daraja.yaml, with openapi-typescript.

export interface paths {
    "/oauth/v1/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Token
         * @description A token for all other calls. It is kept and renewed early.
         */
        get: operations["createToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mpesa/stkpush/v1/processrequest": {
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
         * @description A prompt appears on the customer's phone. The answer says that the prompt is on its way; what the customer did comes
         *     by callback, or is asked for with the `CheckoutRequestID` of the answer.
         *
         *     It is never sent again. When the answer is lost the transaction is unresolved until its callback comes, the pull query
         *     shows it, or a person decides.
         */
        post: operations["stkPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mpesa/stkpushquery/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What became of an STK push
         * @description Asks by the `CheckoutRequestID` of the answer. While the customer has not decided the result is 4999, or the answer is HTTP 500 with 500.001.1001, also for an id that is known: both mean that there is no answer yet. An `errorCode` is read whatever the HTTP status.
         */
        post: operations["queryStkPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mpesa/b2c/v3/paymentrequest": {
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
         * @description Sends money from our short code to a customer. The answer says that the payment is queued; its result comes to
         *     `ResultURL`. There is no query that answers at once, so the path of `ResultURL` carries something that nobody can guess,
         *     and the amount has to agree.
         *
         *     Without an answer it may be sent again with the same `OriginatorConversationID`.
         */
        post: operations["payOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mpesa/b2b/v1/paymentrequest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay another business
         * @description Sends money from our short code to a pay bill number, with an account number there: so a bank credits an account that
         *     it keeps. The answer says that the payment is queued; its result comes to `ResultURL`.
         *
         *     It takes no id of ours, so that without an answer nobody knows whether it arrived.
         */
        post: operations["payBusiness"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mpesa/c2b/v2/registerurl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register the addresses of a short code
         * @description From then on Safaricom asks before a customer pays the short code (if validation is switched on for it, which it is
         *     not unless somebody asks for it by e-mail), and reports every such payment.
         */
        post: operations["registerUrls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mpesa/c2b/v2/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play a customer who pays the short code
         * @description In the sandbox only. The payment is asked about and reported at the registered addresses.
         */
        post: operations["simulateC2b"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mpesa/transactionstatus/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for the status of a transaction
         * @description Asks by the receipt number (`TransactionID`), or by the conversation that a payout had. The answer says that the question
         *     is queued; what it finds comes to `ResultURL`. It finds payouts; an STK push whose answer was lost has neither id.
         */
        post: operations["queryTransactionStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mpesa/reversal/v1/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a payment back
         * @description Reverses a payment that our short code received, by its receipt number. The answer says that the reversal is queued; its
         *     result comes to `ResultURL`.
         *
         *     It takes no id of ours, so that without an answer nobody knows whether it arrived.
         */
        post: operations["reverse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mpesa/accountbalance/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what our short code holds
         * @description The answer says that the question is queued; the balances come to `ResultURL`.
         */
        post: operations["queryBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pulltransactions/v1/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a short code for the list of transactions
         * @description Once for a short code; from then on `pullTransactions` lists what it receives.
         */
        post: operations["registerPull"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pulltransactions/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What our short code received
         * @description The transactions of a time within the last 48 hours, page by page. This is what ends an STK push whose answer was lost:
         *     `billreference` is the `AccountReference` that we sent.
         */
        post: operations["pullTransactions"];
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
        /** TokenReply */
        TokenReply: {
            access_token: string;
            /** @description Seconds, as a text or as a number. */
            expires_in: string | number;
        };
        /**
         * ErrorReply
         * @description A program goes by `errorCode`.
         */
        ErrorReply: {
            requestId?: string;
            /** @description See `x-error-codes`; the list is not closed. */
            errorCode: string;
            /** @description For people; it may say anything. */
            errorMessage?: string;
        };
        /**
         * ShortCode
         * @description Our pay bill or till number.
         */
        ShortCode: string;
        /**
         * Password
         * @description base64 of short code, passkey and timestamp, one after the other.
         */
        Password: string;
        /**
         * Timestamp
         * @description yyyyMMddHHmmss, the time in Nairobi.
         */
        Timestamp: string;
        /**
         * Amount
         * @description Whole shillings, as a number or as a text.
         */
        Amount: number | string;
        /**
         * Msisdn
         * @description A phone number with its country code, digits only.
         */
        Msisdn: string;
        /**
         * CallbackUrl
         * Format: uri
         * @description An address of ours. Some words must not stand in it.
         */
        CallbackUrl: string;
        /** StkPushRequest */
        StkPushRequest: {
            BusinessShortCode: components["schemas"]["ShortCode"];
            Password: components["schemas"]["Password"];
            Timestamp: components["schemas"]["Timestamp"];
            /** @enum {string} */
            TransactionType: "CustomerPayBillOnline" | "CustomerBuyGoodsOnline";
            Amount: components["schemas"]["Amount"];
            /** @description Who pays. */
            PartyA: components["schemas"]["Msisdn"];
            /** @description Who receives. */
            PartyB: components["schemas"]["ShortCode"];
            /** @description The phone that shows the prompt. */
            PhoneNumber: components["schemas"]["Msisdn"];
            CallBackURL: components["schemas"]["CallbackUrl"];
            /** @description What the payer reads beside the business's name. It comes back in the pull query only. */
            AccountReference: string;
            /** @description A text for people. */
            TransactionDesc: string;
        };
        /**
         * Code
         * @description A code as a number or as a text. A program compares them as texts.
         */
        Code: number | string;
        /** StkPushReply */
        StkPushReply: {
            MerchantRequestID: string;
            /** @description Safaricom's id of the prompt, and the only one that the query takes. */
            CheckoutRequestID: string;
            /** @description 0 when the prompt is on its way. */
            ResponseCode: components["schemas"]["Code"];
            ResponseDescription?: string;
            CustomerMessage?: string;
        };
        /**
         * FrontFault
         * @description The envelope of Apigee, the front of Safaricom's API.
         */
        FrontFault: {
            fault: {
                /** @description For people. */
                faultstring?: string;
                detail: {
                    /** @description policies.ratelimit.SpikeArrestViolation or policies.ratelimit.QuotaViolation for the rate of calls. */
                    errorcode: string;
                };
            };
        };
        /** ErrorOrFault */
        ErrorOrFault: components["schemas"]["ErrorReply"] | components["schemas"]["FrontFault"];
        /** MetadataItem */
        MetadataItem: {
            /** @description Amount, MpesaReceiptNumber, Balance, TransactionDate or PhoneNumber. */
            Name: string;
            Value?: string | number;
        };
        /** StkOutcome */
        StkOutcome: {
            MerchantRequestID: string;
            CheckoutRequestID: string;
            /** @description See `x-result-codes`. */
            ResultCode: components["schemas"]["Code"];
            /** @description For people. */
            ResultDesc?: string;
            /** @description On success only. */
            CallbackMetadata?: {
                /** @description Read by `Name`; the order says nothing, and Balance may be absent or without a value. */
                Item: components["schemas"]["MetadataItem"][];
            };
        };
        /** StkCallback */
        StkCallback: {
            Body: {
                stkCallback: components["schemas"]["StkOutcome"];
            };
        };
        /** StkQueryRequest */
        StkQueryRequest: {
            BusinessShortCode: components["schemas"]["ShortCode"];
            Password: components["schemas"]["Password"];
            Timestamp: components["schemas"]["Timestamp"];
            CheckoutRequestID: string;
        };
        /** StkQueryReply */
        StkQueryReply: {
            ResponseCode?: components["schemas"]["Code"];
            ResponseDescription?: string;
            MerchantRequestID?: string;
            CheckoutRequestID?: string;
            /** @description See `x-result-codes`. */
            ResultCode: components["schemas"]["Code"];
            /** @description For people. */
            ResultDesc?: string;
        };
        /** StkQueryReplyOrError */
        StkQueryReplyOrError: components["schemas"]["StkQueryReply"] | components["schemas"]["ErrorReply"];
        /**
         * SecurityCredential
         * @description The initiator's password, encrypted with the key of Safaricom's certificate (RSA, PKCS#1 v1.5), in base64.
         */
        SecurityCredential: string;
        /** PayoutRequest */
        PayoutRequest: {
            /** @description Our id of the payment. Used twice, the second is refused with 500.002.1001. */
            OriginatorConversationID: string;
            InitiatorName: string;
            SecurityCredential: components["schemas"]["SecurityCredential"];
            /** @enum {string} */
            CommandID: "BusinessPayment";
            Amount: components["schemas"]["Amount"];
            /** @description Our short code, which pays. */
            PartyA: components["schemas"]["ShortCode"];
            /** @description Who is paid. */
            PartyB: components["schemas"]["Msisdn"];
            Remarks: string;
            QueueTimeOutURL: components["schemas"]["CallbackUrl"];
            ResultURL: components["schemas"]["CallbackUrl"];
            /** @description A text. The name is spelt so. */
            Occassion?: string;
            /** @description The same text, as some clients spell it. */
            Occasion?: string;
        };
        /** QueuedReply */
        QueuedReply: {
            /** @description Safaricom's id of the request. */
            ConversationID: string;
            /** @description The id that was sent, or one of Safaricom's where none was. */
            OriginatorConversationID: string;
            /** @description 0 when it is queued. */
            ResponseCode: components["schemas"]["Code"];
            ResponseDescription?: string;
        };
        /** ResultParameter */
        ResultParameter: {
            Key: string;
            Value?: string | number;
        };
        /** ResultCallback */
        ResultCallback: {
            Result: {
                ResultType?: components["schemas"]["Code"];
                /** @description 0 on success; see `x-payout-result-codes`, `x-business-result-codes` and `x-reversal-result-codes`. */
                ResultCode: components["schemas"]["Code"];
                /** @description For people. */
                ResultDesc?: string;
                OriginatorConversationID: string;
                ConversationID: string;
                /** @description The receipt number. */
                TransactionID?: string;
                ResultParameters?: {
                    /** @description Read by `Key`; the same key may stand there twice. Results of failures may have a single one in the place of the list. */
                    ResultParameter: components["schemas"]["ResultParameter"][] | {
                        Key: string;
                        Value?: string | number;
                    };
                };
                /** @description What the request named, as pairs or one pair. */
                ReferenceData?: Record<string, never>;
            };
        };
        /**
         * TimeOutCallback
         * @description Any object; nothing in it is relied on.
         */
        TimeOutCallback: {
            Result?: {
                ResultCode?: components["schemas"]["Code"];
                ResultDesc?: string;
                OriginatorConversationID?: string;
                ConversationID?: string;
            };
        };
        /** BusinessPaymentRequest */
        BusinessPaymentRequest: {
            Initiator: string;
            SecurityCredential: components["schemas"]["SecurityCredential"];
            /** @enum {string} */
            CommandID: "BusinessPayBill";
            /**
             * @description 4 is a short code.
             * @enum {string}
             */
            SenderIdentifierType: "4";
            /**
             * @description The name is spelt so.
             * @enum {string}
             */
            RecieverIdentifierType: "4";
            Amount: components["schemas"]["Amount"];
            /** @description Our short code, which pays. */
            PartyA: components["schemas"]["ShortCode"];
            /** @description The pay bill number that is paid. */
            PartyB: components["schemas"]["ShortCode"];
            /** @description The account number there. */
            AccountReference: string;
            /** @description The customer on whose behalf we pay. */
            Requester?: components["schemas"]["Msisdn"];
            Remarks: string;
            ResultURL: components["schemas"]["CallbackUrl"];
            QueueTimeOutURL: components["schemas"]["CallbackUrl"];
            Occasion?: string;
        };
        /** RegisterUrlsRequest */
        RegisterUrlsRequest: {
            ShortCode: components["schemas"]["ShortCode"];
            /**
             * @description What becomes of a payment when nobody answers its validation.
             * @enum {string}
             */
            ResponseType: "Completed" | "Cancelled";
            ConfirmationURL: components["schemas"]["CallbackUrl"];
            ValidationURL: components["schemas"]["CallbackUrl"];
        };
        /** RegisterUrlsReply */
        RegisterUrlsReply: {
            /** @description The name is spelt so. */
            OriginatorCoversationID?: string;
            ResponseCode: components["schemas"]["Code"];
            ResponseDescription?: string;
        };
        /**
         * AmountRead
         * @description Shillings, as a number or as a text.
         */
        AmountRead: number | string;
        /** C2bPayment */
        C2bPayment: {
            /** @description Pay Bill or Buy Goods. */
            TransactionType?: string;
            /** @description The receipt number. */
            TransID: string;
            TransTime: components["schemas"]["Timestamp"];
            TransAmount: components["schemas"]["AmountRead"];
            /** @description The number that was paid. */
            BusinessShortCode: components["schemas"]["ShortCode"];
            /** @description What the customer entered as the account number. */
            BillRefNumber?: string;
            InvoiceNumber?: string;
            /** @description Empty before the payment, our new balance after it. */
            OrgAccountBalance?: string;
            /** @description What the answer to the validation named. */
            ThirdPartyTransID?: string;
            /** @description The payer, hidden in part or as a SHA-256 digest. */
            MSISDN?: string;
            FirstName?: string;
            MiddleName?: string;
            LastName?: string;
        };
        /** C2bAnswer */
        C2bAnswer: {
            /** @description 0 accepts. C2B00011 number, 12 account, 13 amount, 14 identity, 15 short code, 16 another reason. */
            ResultCode: string;
            ResultDesc: string;
            ThirdPartyTransID?: string;
        };
        /** C2bSimulateRequest */
        C2bSimulateRequest: {
            ShortCode: components["schemas"]["ShortCode"];
            /** @enum {string} */
            CommandID: "CustomerPayBillOnline" | "CustomerBuyGoodsOnline";
            Amount: components["schemas"]["Amount"];
            Msisdn: components["schemas"]["Msisdn"];
            /** @description The account number that the customer enters; null for a till. */
            BillRefNumber?: string | null;
        };
        /** StatusRequest */
        StatusRequest: {
            Initiator: string;
            SecurityCredential: components["schemas"]["SecurityCredential"];
            /** @enum {string} */
            CommandID: "TransactionStatusQuery";
            /** @description The receipt number, if it is known. */
            TransactionID?: string;
            /** @description The id of the payout, where the receipt number is not known. */
            OriginalConversationID?: string;
            PartyA: components["schemas"]["ShortCode"];
            /**
             * @description What kind of party PartyA is; 4 is a short code.
             * @enum {string}
             */
            IdentifierType: "1" | "2" | "4";
            ResultURL: components["schemas"]["CallbackUrl"];
            QueueTimeOutURL: components["schemas"]["CallbackUrl"];
            Remarks: string;
            Occasion?: string;
        };
        /** ReversalRequest */
        ReversalRequest: {
            Initiator: string;
            SecurityCredential: components["schemas"]["SecurityCredential"];
            /** @enum {string} */
            CommandID: "TransactionReversal";
            /** @description The receipt number of the payment. */
            TransactionID: string;
            Amount: components["schemas"]["Amount"];
            /** @description Our short code, which received it. */
            ReceiverParty: components["schemas"]["ShortCode"];
            /**
             * @description The name is spelt so.
             * @enum {string}
             */
            RecieverIdentifierType: "11";
            ResultURL: components["schemas"]["CallbackUrl"];
            QueueTimeOutURL: components["schemas"]["CallbackUrl"];
            Remarks: string;
            Occasion?: string;
        };
        /** BalanceRequest */
        BalanceRequest: {
            Initiator: string;
            SecurityCredential: components["schemas"]["SecurityCredential"];
            /** @enum {string} */
            CommandID: "AccountBalance";
            PartyA: components["schemas"]["ShortCode"];
            /**
             * @description What kind of party PartyA is; 4 is a short code.
             * @enum {string}
             */
            IdentifierType: "1" | "2" | "4";
            Remarks: string;
            ResultURL: components["schemas"]["CallbackUrl"];
            QueueTimeOutURL: components["schemas"]["CallbackUrl"];
        };
        /** PullRegisterRequest */
        PullRegisterRequest: {
            ShortCode: components["schemas"]["ShortCode"];
            /** @enum {string} */
            RequestType: "Pull";
            /** @description The telephone of a person who answers for the short code. */
            NominatedNumber: components["schemas"]["Msisdn"];
            CallBackURL: components["schemas"]["CallbackUrl"];
        };
        /** PullRegisterReply */
        PullRegisterReply: {
            ResponseRefID?: string;
            /** @enum {string} */
            ResponseStatus: "1000" | "1001";
            ShortCode?: components["schemas"]["ShortCode"];
            ResponseDescription?: string;
        };
        /** PullRequest */
        PullRequest: {
            ShortCode: components["schemas"]["ShortCode"];
            /** @description yyyy-MM-dd HH:mm:ss, not more than 48 hours ago. */
            StartDate: string;
            /** @description yyyy-MM-dd HH:mm:ss. */
            EndDate: string;
            /** @description How many transactions to leave out, for the next page. */
            OffSetValue: string;
        };
        /** PulledTransaction */
        PulledTransaction: {
            /** @description The receipt number. */
            transactionId: string;
            trxDate?: string;
            msisdn?: string | number;
            sender?: string;
            transactiontype?: string;
            /** @description The `AccountReference` of the STK push. */
            billreference?: string;
            amount: components["schemas"]["AmountRead"];
            organizationname?: string;
        };
        /** PullReply */
        PullReply: {
            ResponseRefID?: string;
            /** @enum {string} */
            ResponseCode: "1000" | "1001";
            ResponseMessage?: string;
            /** @description A list of lists. */
            Response?: components["schemas"]["PulledTransaction"][][];
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
        /** @description The consumer key, its secret or the grant type is wrong. */
        TokenRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The token is wrong or too old. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description There is no such path. */
        NoSuchPath: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The method is not allowed here. */
        WrongMethod: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description Safaricom has a fault. It says nothing about any transaction. */
        Failed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The prompt is on its way. It says nothing about money. */
        StkPushAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StkPushReply"];
            };
        };
        /** @description A field or the token is invalid. Nothing was started. */
        InvalidField: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The token is wrong or too old; or there is no such path. The code tells which. */
        TokenInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description Calls come too fast. Without the body of the front it says nothing. */
        Throttled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorOrFault"];
            };
        };
        /** @description Safaricom refuses, or has a fault. Whether a prompt was sent is unknown, unless the code says so. */
        StkPushFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorOrFault"];
            };
        };
        /** @description Taken. What the body says is not known to matter. */
        CallbackTaken: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Not ours. Safaricom does not come back for it. */
        CallbackRefused: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description No answer, as with 500; seen with other statuses too. */
        NoResult: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorOrFault"];
            };
        };
        /** @description What became of the prompt, or 4999 while nobody knows; or an error, which is no answer. */
        StkQueryAnswer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StkQueryReplyOrError"];
            };
        };
        /** @description No answer. It never means that the transaction does not exist. */
        StkQueryFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorOrFault"];
            };
        };
        /** @description Taken into the queue; the result comes to `ResultURL`. A `ResponseCode` other than 0 means that it was not taken. */
        Queued: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["QueuedReply"];
            };
        };
        /** @description Safaricom refuses, or has a fault. A used id means that the first payment arrived; all else says nothing about the money. */
        PayoutFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorOrFault"];
            };
        };
        /** @description The addresses are registered, if `ResponseCode` is 0. */
        Registered: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RegisterUrlsReply"];
            };
        };
        /** @description Safaricom has a fault, or the short code is registered already. The text tells which. */
        RegisterFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description Whether the payment goes on. */
        C2bAnswered: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["C2bAnswer"];
            };
        };
        /** @description Registered now (1000), or before (1001). */
        PullRegistered: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PullRegisterReply"];
            };
        };
        /** @description The transactions of that time. */
        Pulled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PullReply"];
            };
        };
    };
    parameters: never;
    requestBodies: {
        StkPush: {
            content: {
                "application/json": components["schemas"]["StkPushRequest"];
            };
        };
        StkCallback: {
            content: {
                "application/json": components["schemas"]["StkCallback"];
            };
        };
        StkQuery: {
            content: {
                "application/json": components["schemas"]["StkQueryRequest"];
            };
        };
        Payout: {
            content: {
                "application/json": components["schemas"]["PayoutRequest"];
            };
        };
        PayoutResult: {
            content: {
                "application/json": components["schemas"]["ResultCallback"];
            };
        };
        TimeOut: {
            content: {
                "application/json": components["schemas"]["TimeOutCallback"];
            };
        };
        BusinessPayment: {
            content: {
                "application/json": components["schemas"]["BusinessPaymentRequest"];
            };
        };
        BusinessResult: {
            content: {
                "application/json": components["schemas"]["ResultCallback"];
            };
        };
        RegisterUrls: {
            content: {
                "application/json": components["schemas"]["RegisterUrlsRequest"];
            };
        };
        C2bPayment: {
            content: {
                "application/json": components["schemas"]["C2bPayment"];
            };
        };
        SimulatedC2b: {
            content: {
                "application/json": components["schemas"]["C2bSimulateRequest"];
            };
        };
        StatusQuery: {
            content: {
                "application/json": components["schemas"]["StatusRequest"];
            };
        };
        StatusResult: {
            content: {
                "application/json": components["schemas"]["ResultCallback"];
            };
        };
        Reversal: {
            content: {
                "application/json": components["schemas"]["ReversalRequest"];
            };
        };
        ReversalResult: {
            content: {
                "application/json": components["schemas"]["ResultCallback"];
            };
        };
        BalanceQuery: {
            content: {
                "application/json": components["schemas"]["BalanceRequest"];
            };
        };
        BalanceResult: {
            content: {
                "application/json": components["schemas"]["ResultCallback"];
            };
        };
        PullRegister: {
            content: {
                "application/json": components["schemas"]["PullRegisterRequest"];
            };
        };
        Pull: {
            content: {
                "application/json": components["schemas"]["PullRequest"];
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
            query: {
                /**
                 * @description Always the same.
                 * @example client_credentials
                 */
                grant_type: "client_credentials";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Token"];
            400: components["responses"]["TokenRefused"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NoSuchPath"];
            405: components["responses"]["WrongMethod"];
            500: components["responses"]["Failed"];
        };
    };
    stkPush: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["StkPush"];
        responses: {
            200: components["responses"]["StkPushAccepted"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["StkPushFailed"];
        };
    };
    queryStkPush: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["StkQuery"];
        responses: {
            200: components["responses"]["StkQueryAnswer"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            500: components["responses"]["StkQueryFailed"];
            default: components["responses"]["NoResult"];
        };
    };
    payOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Payout"];
        responses: {
            200: components["responses"]["Queued"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["PayoutFailed"];
        };
    };
    payBusiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BusinessPayment"];
        responses: {
            200: components["responses"]["Queued"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
        };
    };
    registerUrls: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RegisterUrls"];
        responses: {
            200: components["responses"]["Registered"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["RegisterFailed"];
        };
    };
    simulateC2b: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["SimulatedC2b"];
        responses: {
            200: components["responses"]["Registered"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
        };
    };
    queryTransactionStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["StatusQuery"];
        responses: {
            200: components["responses"]["Queued"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            500: components["responses"]["Failed"];
        };
    };
    reverse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Reversal"];
        responses: {
            200: components["responses"]["Queued"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
        };
    };
    queryBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["BalanceQuery"];
        responses: {
            200: components["responses"]["Queued"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
        };
    };
    registerPull: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["PullRegister"];
        responses: {
            200: components["responses"]["PullRegistered"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["Failed"];
        };
    };
    pullTransactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Pull"];
        responses: {
            200: components["responses"]["Pulled"];
            400: components["responses"]["InvalidField"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["TokenInvalid"];
            405: components["responses"]["WrongMethod"];
            500: components["responses"]["Failed"];
        };
    };
}

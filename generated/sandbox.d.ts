// Written by `npm run generate` from openapi/sandbox.yaml, with openapi-typescript.

export interface paths {
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the clock
         * @description What the clock of the sandbox shows, and how far it is ahead of real time.
         */
        get: operations["showClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock
         * @description Answers when everything that was due until then is done, callbacks included: the clock walks from due time to due
         *     time. It never goes back. `finished` is false when the time-out came first.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/scenario": {
        parameters: {
            query?: {
                /** @description The public key of the merchant; the demo merchant if absent. */
                merchant?: components["schemas"]["PublicKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the scenario
         * @description The scenario of a merchant, and how many orders each rule for payments has met.
         */
        get: operations["showScenario"];
        /**
         * Load a scenario
         * @description Replaces the merchant's scenario, and counts from the beginning. Payments and callbacks that are under way follow
         *     the new one from their next step on.
         */
        put: operations["loadScenario"];
        post?: never;
        /**
         * Remove the scenario
         * @description From now on the test numbers decide again. It is no fault when there is none.
         */
        delete: operations["removeScenario"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/scenario.schema.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The schema of scenarios
         * @description The JSON Schema (2020-12) of scenarios, for editors.
         */
        get: operations["scenarioSchema"];
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
        Refusal: {
            code: number;
            /** @enum {string} */
            status: "error";
            message: string;
            data: Record<string, never>;
        };
        PublicKey: string;
        /**
         * @description `90s`, `5m`, `1h30m`, `7d`, `250ms`.
         * @example 90s
         */
        Duration: string;
        Clock: {
            /**
             * Format: date-time
             * @description What the clock shows.
             */
            now: string;
            /**
             * Format: date-time
             * @description The real time.
             */
            real_now: string;
            /**
             * Format: int64
             * @description The difference in milliseconds.
             */
            ahead_ms: number;
        };
        /** @description Either `by` or `to`, a year at most. */
        Advance: {
            by?: components["schemas"]["Duration"];
            /**
             * Format: date-time
             * @description One that has come changes nothing.
             */
            to?: string;
            /**
             * @description How long it may take.
             * @default 60
             */
            timeout_seconds?: number;
        };
        AdvancedClock: components["schemas"]["Clock"] & {
            /** @description False when the time-out came first. */
            finished: boolean;
            /** @description How many jobs of each kind are due or run, where it did not finish. */
            due: {
                [key: string]: number;
            };
        };
        LoadedScenario: {
            merchant: components["schemas"]["PublicKey"];
            scenario: components["schemas"]["Scenario"];
            /**
             * Format: date-time
             * @description When it was loaded, by the clock of the sandbox.
             */
            loaded_at: string;
            /** @description How many orders each rule of `payments` has met, in their order. */
            orders: number[];
        };
        /** @description What simulated customers of a merchant do, and what becomes of its callbacks. The first rule that fits decides. */
        Scenario: {
            /**
             * @description The version of this format.
             * @enum {integer}
             */
            scenario: 1;
            merchant?: components["schemas"]["PublicKey"];
            payments?: components["schemas"]["PaymentRule"][];
            callbacks?: components["schemas"]["CallbackRule"][];
        };
        /**
         * @description The whole number with its country code, or `*` and its last digits.
         * @example 256772000123
         * @example *123
         */
        Account: string;
        /** @description What an operator does with the orders of an account, one after the other. The last entry holds for all further ones. */
        PaymentRule: {
            account: components["schemas"]["Account"];
            /**
             * @description Only orders of this type; all if absent.
             * @enum {string}
             */
            type?: "COLLECTION" | "PAYOUT" | "REFUND";
            orders: components["schemas"]["OrderStep"][];
        };
        /**
         * @description `paid` completes it. It fails otherwise: somebody `declined`, the customer had too little (of a payout: the
         *     recipient's account cannot receive it), or nobody reacted and it `expired`.
         * @enum {string}
         */
        Outcome: "paid" | "declined" | "insufficient_funds" | "expired";
        OrderStep: {
            /**
             * @description As in `Outcome`; `open` gives no result, as a customer who does nothing.
             * @enum {string}
             */
            outcome: "paid" | "declined" | "insufficient_funds" | "expired" | "open";
            /** @description The usual delay of the sandbox if absent. */
            after?: components["schemas"]["Duration"];
            /**
             * @description How often the operator reports it.
             * @default 1
             */
            reported?: number;
            /**
             * @description How many tries the operator does not answer first.
             * @default 0
             */
            unreachable?: number;
            then?: components["schemas"]["LaterResult"];
        };
        /** @description A second result, which contradicts the first; see `allow_final_status_change`. */
        LaterResult: {
            outcome: components["schemas"]["Outcome"];
            /** @description Counted from the order, not from its first result. */
            after: components["schemas"]["Duration"];
        };
        /** @description What becomes of the deliveries of each callback that fits all that is named. The last entry holds for all further ones. */
        CallbackRule: {
            account?: components["schemas"]["Account"];
            /** @description Your merchant_reference. */
            reference?: string;
            /** @example transaction.completed */
            event?: string;
            deliveries: ("delivered" | "lost" | "reply_lost")[];
        };
    };
    responses: {
        /** @description The request is refused; `message` says why. */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            421: components["responses"]["Refused"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Advance"];
            };
        };
        responses: {
            /** @description Where it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdvancedClock"];
                };
            };
            400: components["responses"]["Refused"];
            403: components["responses"]["Refused"];
            409: components["responses"]["Refused"];
            415: components["responses"]["Refused"];
            421: components["responses"]["Refused"];
            503: components["responses"]["Refused"];
        };
    };
    showScenario: {
        parameters: {
            query?: {
                /** @description The public key of the merchant; the demo merchant if absent. */
                merchant?: components["schemas"]["PublicKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scenario. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoadedScenario"];
                };
            };
            400: components["responses"]["Refused"];
            404: components["responses"]["Refused"];
            421: components["responses"]["Refused"];
        };
    };
    loadScenario: {
        parameters: {
            query?: {
                /** @description The public key of the merchant; the demo merchant if absent. */
                merchant?: components["schemas"]["PublicKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Scenario"];
                "application/yaml": components["schemas"]["Scenario"];
            };
        };
        responses: {
            /** @description The scenario, as it was understood. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoadedScenario"];
                };
            };
            400: components["responses"]["Refused"];
            403: components["responses"]["Refused"];
            413: components["responses"]["Refused"];
            415: components["responses"]["Refused"];
            421: components["responses"]["Refused"];
        };
    };
    removeScenario: {
        parameters: {
            query?: {
                /** @description The public key of the merchant; the demo merchant if absent. */
                merchant?: components["schemas"]["PublicKey"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refused"];
            403: components["responses"]["Refused"];
            421: components["responses"]["Refused"];
        };
    };
    scenarioSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schema. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            421: components["responses"]["Refused"];
        };
    };
}

/** The cdk that a project's stack is written for. */
export type Cdk = "cdktf" | "cdktn";

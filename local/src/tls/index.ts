export { CertificateAuthority } from "./certificate-authority.js";

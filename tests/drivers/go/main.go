// pgx against a server: types in both formats, prepared, batch, COPY, cancel, errors, TLS + SCRAM.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const table = "smoke_go"

var failures int

func check(name string, f func() error) {
	if err := f(); err != nil {
		failures++
		fmt.Printf("FAIL go %s: %s\n", name, strings.SplitN(err.Error(), "\n", 2)[0])
		return
	}
	fmt.Printf("ok go %s\n", name)
}
func want(got, expected any) error {
	if !reflect.DeepEqual(got, expected) {
		return fmt.Errorf("got %v, expected %v", got, expected)
	}
	return nil
}
func state(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}

func main() {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	c, err := pgx.Connect(ctx, "sslmode=prefer")
	if err != nil {
		fmt.Println("FAIL go connect:", err)
		os.Exit(1)
	}
	exec := func(sql string, args ...any) error { _, err := c.Exec(ctx, sql, args...); return err }

	values := []struct {
		ty string
		v  any
	}{
		{"bool", true}, {"int2", int16(-7)}, {"int4", int32(1<<31 - 1)}, {"int8", int64(-1 << 63)}, {"float4", float32(1.5)}, {"float8", 1.25e300},
		{"text", "héllo"}, {"varchar(9)", "abc"}, {"bytea", []byte{0, 255, '\''}},
		{"date", time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)},
		{"timestamp", time.Date(2024, 2, 29, 23, 59, 59, 999999000, time.UTC)},
		{"int4[]", []int32{1, 2, 3}}, {"text[]", []string{"a", "b c"}},
	}
	for _, mode := range []struct {
		name string
		mode pgx.QueryExecMode
	}{{"binary", pgx.QueryExecModeCacheStatement}, {"describe", pgx.QueryExecModeDescribeExec}, {"exec", pgx.QueryExecModeExec}, {"simple", pgx.QueryExecModeSimpleProtocol}} {
		check("types, "+mode.name, func() error {
			for _, v := range values {
				got := reflect.New(reflect.TypeOf(v.v))
				if err := c.QueryRow(ctx, "SELECT $1::"+v.ty, mode.mode, v.v).Scan(got.Interface()); err != nil {
					return fmt.Errorf("%s: %w", v.ty, err)
				}
				if err := want(got.Elem().Interface(), v.v); err != nil {
					return fmt.Errorf("%s: %w", v.ty, err)
				}
			}
			for _, v := range [][2]string{{"numeric", "12345678901234567890.0123"}, {"uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"}, {"interval", "1 mon 2 days"}, {"jsonb", `{"a": [1, null]}`}, {"time", "01:02:03.000004"}} {
				var got string
				if err := c.QueryRow(ctx, "SELECT ($1::text::"+v[0]+")::text", mode.mode, v[1]).Scan(&got); err != nil {
					return fmt.Errorf("%s: %w", v[0], err)
				}
				if err := want(got, v[1]); err != nil {
					return fmt.Errorf("%s: %w", v[0], err)
				}
			}
			return nil
		})
	}
	check("prepared", func() error {
		if err := exec("DROP TABLE IF EXISTS " + table); err != nil {
			return err
		}
		if err := exec("CREATE TABLE " + table + " (id int PRIMARY KEY, v text NOT NULL)"); err != nil {
			return err
		}
		d, err := c.Prepare(ctx, "ins", "INSERT INTO "+table+" VALUES ($1, $2)")
		if err != nil {
			return err
		}
		if err := want(d.ParamOIDs, []uint32{23, 25}); err != nil {
			return err
		}
		for i := 0; i < 50; i++ {
			if err := exec("ins", i, fmt.Sprint("v", i)); err != nil {
				return err
			}
		}
		return c.Deallocate(ctx, "ins")
	})
	check("batch (pipelined)", func() error {
		b := &pgx.Batch{}
		for i := 0; i < 50; i++ {
			b.Queue("SELECT v FROM "+table+" WHERE id = $1", i)
		}
		r := c.SendBatch(ctx, b)
		defer r.Close()
		for i := 0; i < 50; i++ {
			var v string
			if err := r.QueryRow().Scan(&v); err != nil {
				return err
			}
			if err := want(v, fmt.Sprint("v", i)); err != nil {
				return err
			}
		}
		return nil
	})
	check("transaction", func() error {
		tx, err := c.Begin(ctx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM "+table); err != nil {
			return err
		}
		if err := tx.Rollback(ctx); err != nil {
			return err
		}
		var n int
		if err := c.QueryRow(ctx, "SELECT count(*) FROM "+table).Scan(&n); err != nil {
			return err
		}
		return want(n, 50)
	})
	check("copy", func() error {
		rows := make([][]any, 5000)
		for i := range rows {
			rows[i] = []any{1000 + i, fmt.Sprint("copy ", i)}
		}
		n, err := c.CopyFrom(ctx, pgx.Identifier{table}, []string{"id", "v"}, pgx.CopyFromRows(rows))
		if err != nil {
			return err
		}
		if err := want(n, int64(5000)); err != nil {
			return err
		}
		var out strings.Builder
		if _, err := c.PgConn().CopyTo(ctx, &out, "COPY (SELECT * FROM "+table+" WHERE id >= 1000 ORDER BY id) TO STDOUT (FORMAT csv)"); err != nil {
			return err
		}
		return want(strings.Split(out.String(), "\n")[7], "1007,copy 7")
	})
	check("cancel", func() error {
		go func() {
			time.Sleep(300 * time.Millisecond)
			_ = c.PgConn().CancelRequest(ctx)
		}()
		if err := want(state(exec("SELECT pg_sleep(20)")), "57014"); err != nil {
			return err
		}
		return exec("SELECT 1")
	})
	check("errors", func() error {
		err := exec("INSERT INTO "+table+" VALUES (1, 'x')")
		var e *pgconn.PgError
		if !errors.As(err, &e) {
			return fmt.Errorf("no error: %v", err)
		}
		if err := want([]string{e.Code, e.ConstraintName, e.TableName, e.Detail}, []string{"23505", table + "_pkey", table, "Key (id)=(1) already exists."}); err != nil {
			return err
		}
		for sql, code := range map[string]string{"SELECT nope": "42703", "SELEC": "42601", "SELECT * FROM nope": "42P01", "SELECT 1/0": "22012"} {
			if err := want(state(exec(sql)), code); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return nil
	})
	if ca := os.Getenv("PAMIR_TLS_CA"); ca != "" {
		check("TLS and SCRAM", func() error {
			if err := exec("DROP ROLE IF EXISTS smoke_tls"); err != nil {
				return err
			}
			if err := exec("CREATE ROLE smoke_tls LOGIN PASSWORD 'sm0ke pass'"); err != nil {
				return err
			}
			pem, err := os.ReadFile(ca)
			if err != nil {
				return err
			}
			roots := x509.NewCertPool()
			roots.AppendCertsFromPEM(pem)
			for _, password := range []string{"sm0ke pass", "wrong"} {
				config, err := pgx.ParseConfig("user=smoke_tls sslmode=require")
				if err != nil {
					return err
				}
				config.Password = password
				config.Fallbacks = nil
				config.TLSConfig = &tls.Config{RootCAs: roots, ServerName: "localhost"}
				t, err := pgx.ConnectConfig(ctx, config)
				if password == "wrong" {
					return want(state(err), "28P01")
				}
				if err != nil {
					return err
				}
				var user string
				if err := t.QueryRow(ctx, "SELECT current_user").Scan(&user); err != nil {
					return err
				}
				t.Close(ctx)
				if err := want(user, "smoke_tls"); err != nil {
					return err
				}
			}
			return nil
		})
	}
	_ = exec("DROP TABLE IF EXISTS " + table)
	c.Close(ctx)
	if failures > 0 {
		os.Exit(1)
	}
}
